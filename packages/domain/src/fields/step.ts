import type { z } from 'zod';
import { type Issue, invalidParameters } from '../errors.ts';
import type { EvidenceFile, EvidenceKind } from '../evidence/evidence-file.ts';
import { canonicalJson, type JsonObject } from '../input/json.ts';
import { issuesOf } from '../input/parse.ts';
import { addressIssues } from './address-format.ts';
import { type FlowAsks, requiredByConditions, withoutUnasked } from './conditions.ts';
import { type EarlierStep, earlierFields } from './earlier-step.ts';
import type { FieldList, Fields, Partly, Path } from './field.ts';
import { lazily } from './lazily.ts';
import { makePages, type Page, type PagedFields } from './pages.ts';
import { isJsonObject, isWithin, valueAt, withoutPaths, withValuesOf } from './paths.ts';
import { placedFields, placesOf } from './placed-fields.ts';
import type { SampleContext, SampledFields } from './sample.ts';
import { schemaOf, storedSchemaOf } from './schema.ts';
import { mergedDraft, type StepPart } from './step-part.ts';

/** What the rules of a step know besides the answers. */
export interface StepContext {
  readonly now: Date;
  /** In full years. */
  readonly minimumAge: number;
  /** What the client asks for. */
  readonly asks: FlowAsks;
  /** Files uploaded for this step of this verification. */
  readonly files: readonly EvidenceFile[];
  /** Answers whose `server` fields stay. Default: they are filled now. */
  readonly stamped?: JsonObject | undefined;
}

/** What a step is made of, checked against the type of its answers. */
export interface StepDefinition<A> {
  readonly fields: Fields<NoInfer<A>>;
  /** Pages by the last part of their address, in order, each with its fields. A page of one file is an upload. */
  readonly pages: Readonly<Record<string, readonly Path<NoInfer<A>>[]>>;
  /** Rules between fields. Also asked about answers that are incomplete, without the parts that are wrong. */
  readonly rules?: (answers: Partly<A>, context: StepContext) => readonly Issue[];
  /** Fills the `server` fields. */
  readonly stamp?: (now: Date) => Partial<NoInfer<A>>;
  /** Sample values where the rules need more than the defaults of `sampleOf`. */
  readonly sample?: (context: SampleContext) => Partly<NoInfer<A>>;
}

/** A file that answers name. */
export interface FileReference {
  /** Where in the answers, for example `document.frontFileId`. */
  readonly path: string;
  readonly fileId: string;
  /** The kind that the file must have been uploaded as. */
  readonly kind: EvidenceKind;
}

/** One step of a flow, without the type of its answers. */
export interface Step extends PagedFields, SampledFields {
  /** Lenient schema of stored answers and drafts. */
  readonly storedSchema: z.ZodType<JsonObject>;
  /**
   * Checks the answers and returns them as they are stored, without the fields that are not asked.
   * @throws CountersignError `INVALID_PARAMETERS` with every issue found
   */
  accept(input: unknown, context: StepContext): JsonObject;
  /**
   * Checks a part of the answers together with the draft, and returns the new draft.
   * @throws CountersignError `INVALID_PARAMETERS` with every issue within the part
   */
  acceptPart(draft: JsonObject, part: StepPart, context: StepContext): JsonObject;
  /** Whether two accepted answers are equal, `server` fields aside. */
  isSame(answers: JsonObject, others: JsonObject): boolean;
  /** Lists the files that answers or a draft of this step name. */
  filesOf(answers: JsonObject): readonly FileReference[];
  /**
   * Returns the step as an earlier version of the flow had it, with the same rules, for verifications that began with that version.
   * @throws Error as `defineStep`, and for a path that is no field
   * @example
   * const address1 = address.earlier({ fields: { country: { decides: undefined } } });
   */
  earlier(changes: EarlierStep): Step;
}

/**
 * Makes a step.
 * @throws Error when a field stands on no page or on two, a kind of file occurs twice or within rows, or a condition
 * names a field that does not come earlier
 * @example
 * const selfie = defineStep<{ readonly fileId: string }>({
 *   fields: { fileId: { kind: 'file', evidence: 'selfie' } },
 *   pages: { selfie: ['fileId'] },
 * });
 */
export function defineStep<A extends object>(definition: StepDefinition<A>): Step {
  return makeStep(definition as unknown as CheckedDefinition);
}

/** A `StepDefinition` without the type that it was checked against. */
interface CheckedDefinition {
  readonly fields: FieldList;
  readonly pages: Readonly<Record<string, readonly string[]>>;
  readonly rules?: (answers: JsonObject, context: StepContext) => readonly Issue[];
  readonly stamp?: (now: Date) => JsonObject;
  readonly sample?: Step['sample'];
}

function makeStep(definition: CheckedDefinition): Step {
  const { fields, rules, stamp, sample } = definition;
  const pages = makePages(fields, definition.pages);
  const places = placesOf(fields);
  checkPages(fields, pages);
  checkFiles(fields);
  checkConditions(fields);
  const schema = lazily(() => schemaOf(fields));
  const storedSchema = lazily(() => storedSchemaOf(fields));

  const filesOf = (answers: JsonObject): FileReference[] =>
    places.flatMap(({ path, evidence: kind }) => {
      const fileId = valueAt(answers, path);
      return typeof fileId === 'string' ? [{ path, fileId, kind }] : [];
    });

  const ruleIssues = (answers: JsonObject, context: StepContext): Issue[] => [
    ...(rules?.(answers, context) ?? []),
    ...requiredByConditions(fields, answers, context.asks),
    ...addressIssues(fields, answers),
    ...filesOf(answers).flatMap((reference) => missingFile(reference, context.files)),
  ];

  /** The issues of the fields, and those that the rules find in the answers without the fields that are wrong. */
  function issuesIn(input: unknown, context: StepContext): Issue[] {
    const { error, data } = schema().safeParse(input);
    if (error === undefined) return ruleIssues(data, context);
    const wrong = issuesOf(error, input);
    const paths = new Set(wrong.map(({ path }) => path));
    const rest = withoutPaths(input, paths);
    if (!isJsonObject(rest)) return wrong;
    const isKnown = (path: string) => [...paths].some((outer) => isWithin(path, outer));
    return [...wrong, ...ruleIssues(rest, context).filter(({ path }) => !isKnown(path))];
  }

  const given = (answers: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(answers).filter(([key]) => fields[key] !== undefined && fields[key].by !== 'server'),
    );
  const serverFields = Object.keys(fields).filter((key) => fields[key]?.by === 'server');

  const stampOf = ({ now, stamped }: StepContext): object =>
    stamped === undefined ? (stamp?.(now) ?? {}) : withValuesOf({}, stamped, serverFields);

  return {
    fields,
    pages,
    sample,
    earlier: (changes) =>
      makeStep({
        ...definition,
        fields: earlierFields(fields, changes.fields),
        pages: changes.pages ?? definition.pages,
      }),
    get storedSchema() {
      return storedSchema();
    },
    filesOf,
    isSame: (answers, others) => canonicalJson(given(answers)) === canonicalJson(given(others)),

    accept(input, context) {
      const asked = isJsonObject(input) ? withoutUnasked(fields, input, context.asks) : input;
      const { data } = schema().safeParse(asked);
      const issues = data === undefined ? issuesIn(asked, context) : ruleIssues(data, context);
      if (data === undefined || issues.length > 0) throw invalidParameters(issues);
      return withoutUndefined({ ...data, ...stampOf(context) });
    },

    acceptPart(draft, part, context) {
      const next = mergedDraft(fields, draft, part);
      const issues = issuesIn(next, context).filter(({ path }) =>
        part.fields.some((field) => isWithin(path, field)),
      );
      if (issues.length > 0) throw invalidParameters(issues);
      return withoutUndefined(next);
    },
  };
}

function missingFile({ path, fileId, kind }: FileReference, uploaded: readonly EvidenceFile[]): Issue[] {
  if (uploaded.some((file) => file.id === fileId && file.kind === kind)) return [];
  const message = `no file of kind ${kind} with this id was uploaded for this step`;
  return [{ path, message, code: 'file_missing' }];
}

function withoutUndefined(answers: object): JsonObject {
  return JSON.parse(JSON.stringify(answers)) as JsonObject;
}

/** Requires each input field on exactly one page, whole or with all its parts, and a page of its own for a file. */
function checkPages(fields: FieldList, pages: readonly Page[]): void {
  const named = pages.flatMap((page) => page.fields.map(({ path }) => path));
  const timesNamed = (path: string) => named.filter((other) => isWithin(path, other)).length;
  const parents = new Set(
    placedFields(fields).flatMap(({ path, field }) => (field.kind === 'group' ? [path] : [])),
  );
  for (const { path, field } of placedFields(fields)) {
    if (field.by === 'server' || (parents.has(path) && timesNamed(path) === 0)) continue;
    if (timesNamed(path) !== 1) throw new Error(`The field ${path} must stand on exactly one page`);
  }
  for (const { slug, fields: onPage } of pages) {
    const hasFile = onPage.some(({ field }) => field.kind === 'file');
    if (hasFile && onPage.length > 1) throw new Error(`The file on the page ${slug} needs a page alone`);
  }
}

function checkFiles(fields: FieldList): void {
  const kinds = placesOf(fields).map(({ evidence }) => evidence);
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index);
  if (twice !== undefined) throw new Error(`Two fields of one step take a file of kind ${twice}`);
  for (const { path, field } of placedFields(fields)) {
    if (field.kind === 'rows' && placesOf(field.fields).length > 0) {
      throw new Error(`The rows ${path} cannot take files`);
    }
  }
}

function checkConditions(fields: FieldList): void {
  const earlier = new Set<string>();
  for (const [key, field] of Object.entries(fields)) {
    for (const sibling of Object.keys({ ...field.when, ...field.absence })) {
      if (!earlier.has(sibling))
        throw new Error(`The condition of ${key} names ${sibling}, which comes no earlier`);
    }
    earlier.add(key);
    if ('fields' in field) checkConditions(field.fields);
  }
}
