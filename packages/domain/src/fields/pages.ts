import type { JsonObject } from '../input/json.ts';
import { ALL_ASKED, type FlowAsks, isAsked, isSwitchedOn } from './conditions.ts';
import type { FieldList } from './field.ts';
import { isJsonObject, isWithin, valueAt, withValuesOf } from './paths.ts';
import { fieldAt, type Place, type PlacedField } from './placed-fields.ts';

/** One page of a step, as the subject answers it. */
export interface Page {
  /** Last part of the page's address, unique within a flow. */
  readonly slug: string;
  readonly fields: readonly PlacedField[];
  /** The file that the page takes when it is an upload, or null. */
  readonly upload: Place | null;
  /** Whether every field of the page may be left empty. */
  readonly optional: boolean;
}

/** The fields of a step and the pages on which they are asked. */
export interface PagedFields {
  readonly fields: FieldList;
  readonly pages: readonly Page[];
}

/** Makes the pages of a step. @throws Error for a path that is no field, and for a page without fields */
export function makePages(fields: FieldList, pages: Readonly<Record<string, readonly string[]>>): Page[] {
  return Object.entries(pages).map(([slug, paths]) => {
    const placed = paths.map((path) => {
      const field = fieldAt(fields, path);
      if (field === null) throw new Error(`The page ${slug} names ${path}, which is not a field`);
      return { path, key: path.split('.').at(-1) ?? path, field };
    });
    const optional = placed.every(({ field }) => field.optional === true);
    const [first] = placed;
    if (first === undefined) throw new Error(`The page ${slug} has no fields`);
    const upload =
      first.field.kind === 'file' ? { path: first.path, evidence: first.field.evidence, optional } : null;
    return { slug, fields: placed, upload, optional };
  });
}

/**
 * Lists the pages on which at least one field is asked, given the answers so far and the client's settings. Fields that the
 * settings do not ask for are left out of their pages.
 */
export function pagesFor(
  { fields, pages }: PagedFields,
  answers: JsonObject,
  asks: FlowAsks = ALL_ASKED,
): readonly Page[] {
  return pages
    .filter((page) => page.fields.some(({ path }) => isAskedAt(fields, path, answers, asks)))
    .map((page) => ({ ...page, fields: page.fields.filter(({ path }) => isSwitchedOnAt(fields, path, asks)) }));
}

function isAskedAt(fields: FieldList, path: string, answers: JsonObject, asks: FlowAsks): boolean {
  const [key = '', ...rest] = path.split('.');
  const field = fields[key];
  if (field === undefined || !isAsked(field, answers, asks)) return false;
  if (rest.length === 0 || field.kind !== 'group') return true;
  const within = answers[key];
  return isAskedAt(field.fields, rest.join('.'), isJsonObject(within) ? within : {}, asks);
}

function isSwitchedOnAt(fields: FieldList, path: string, asks: FlowAsks): boolean {
  const [key = '', ...rest] = path.split('.');
  const field = fields[key];
  if (field === undefined || !isSwitchedOn(field, asks)) return false;
  return rest.length === 0 || field.kind !== 'group' || isSwitchedOnAt(field.fields, rest.join('.'), asks);
}

/** Returns the page that holds a path, or something within it, or null. */
export function pageOfPath({ pages }: Pick<PagedFields, 'pages'>, path: string): Page | null {
  const holds = (field: PlacedField) => isWithin(path, field.path) || isWithin(field.path, path);
  return pages.find((page) => page.fields.some(holds)) ?? null;
}

/** Lists the paths of the fields of a page. */
export function pathsOf({ fields }: Page): readonly string[] {
  return fields.map(({ path }) => path);
}

/** Whether the draft has an answer to any field of the page. */
export function isDrafted(page: Page, draft: JsonObject | undefined): boolean {
  return page.fields.some(({ path }) => valueAt(draft, path) !== undefined);
}

/** Answers to one step, complete and drafted. */
export interface StepState {
  /** The answers of the completed step. */
  readonly answers?: JsonObject | undefined;
  readonly draft?: JsonObject | undefined;
  /** Whether the answers are still valid: false when a reviewer asked for the step again. */
  readonly isCompleted: boolean;
}

/**
 * Returns the answers with which a step would be completed now: the current answers, overlaid with every page that was
 * drafted since.
 *
 * A draft cannot say that a page was left empty. So while a step is not completed, an optional page without a draft
 * counts as left empty when a later page has one.
 * @param answered slugs of the pages whose answers were just drafted: these count also where all their fields are empty
 */
export function mergeAnswers(
  { fields, pages }: PagedFields,
  { answers = {}, draft = {}, isCompleted }: StepState,
  answered: readonly string[] = [],
): JsonObject {
  const last = isCompleted ? -1 : pages.findLastIndex((page) => isDrafted(page, draft));
  const given = Object.entries(answers).filter(([key]) => fields[key]?.by !== 'server');
  return pages.reduce<JsonObject>((merged, page, index) => {
    const isLeftEmpty = index < last && page.optional;
    if (!answered.includes(page.slug) && !isDrafted(page, draft) && !isLeftEmpty) return merged;
    return withValuesOf(merged, draft, pathsOf(page));
  }, Object.fromEntries(given));
}
