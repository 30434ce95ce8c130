import type { Issue } from '@countersign/domain';
import { type Field, isWithin, type PlacedField } from '@countersign/domain/flows';
import { findText, type Translate } from '../site/messages.ts';
import type { FieldTexts } from './draw-field.tsx';
import { sameOrOther } from './form-answers.ts';

/** Returns the messages for a page's issues, by the name of the form field each belongs to, in the order of the page. */
export function issueMessages(
  texts: FieldTexts,
  fields: readonly PlacedField[],
  issues: readonly Issue[],
): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  for (const issue of issues) {
    const { name, isKnown, row } = placeOf(fields, issue.path);
    // One message per field: the first is the one to fix first.
    if (messages.has(name)) continue;
    const message = texts.issue(isKnown ? issue.path : null, issue);
    messages.set(name, row === undefined ? message : `${texts.row(row.path, row.index)}: ${message}`);
  }
  return inPageOrder(fields, messages);
}

/** Puts messages in the order in which their fields stand on the page. Those of other controls come last. */
export function inPageOrder(
  fields: readonly PlacedField[],
  messages: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const placed = [...messages].map((entry) => ({ entry, position: positionOf(fields, entry[0]) }));
  placed.sort((a, b) => comparePositions(a.position, b.position));
  return new Map(placed.map(({ entry }) => entry));
}

/** Returns where a control stands: the place of its field, then that of each part within it. */
function positionOf(fields: readonly PlacedField[], name: string): readonly number[] {
  const at = fields.findIndex(({ path }) => isWithin(name, path) || name === sameOrOther(path));
  const placed = fields[at];
  if (placed === undefined) return [Number.POSITIVE_INFINITY];
  const { path, field } = placed;
  // The choice "the same or another?" stands before the parts of its group.
  if (name === path || name === sameOrOther(path)) return [at];
  switch (field.kind) {
    case 'rows': {
      const row = name.slice(path.length + 1).split('.', 1)[0] ?? '';
      return [at, Number(row), ...positionOf(partsOf(`${path}.${row}`, field), name)];
    }
    case 'list':
      return [at, Number(name.slice(path.length + 1))];
    case 'group':
      return [at, ...positionOf(partsOf(path, field), name)];
    default:
      return [at];
  }
}

function comparePositions(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((place, index) => place !== other[index]);
  if (at === -1) return one.length - other.length;
  // A field stands before its parts.
  return (one[at] ?? 0) > (other[at] ?? -1) ? 1 : -1;
}

interface Place {
  /** Name of the form field. */
  readonly name: string;
  readonly isKnown: boolean;
  readonly row?: { readonly path: string; readonly index: number };
}

function placeOf(fields: readonly PlacedField[], path: string): Place {
  const found = fields.find((placed) => isWithin(path, placed.path));
  return found === undefined ? { name: path, isKnown: false } : placeIn(found, path);
}

function placeIn({ path: name, field }: Pick<PlacedField, 'path' | 'field'>, path: string): Place {
  const [first, ...rest] = path === name ? [] : path.slice(name.length + 1).split('.');
  switch (field.kind) {
    case 'rows':
      if (first === undefined) return { name, isKnown: true };
      return {
        name: path,
        isKnown: rest[0] !== undefined && Object.hasOwn(field.fields, rest[0]),
        row: { path: name, index: Number(first) },
      };
    case 'list':
      return {
        name: field.each.kind !== 'country' ? name : first === undefined ? `${name}.0` : path,
        isKnown: true,
      };
    case 'group':
      return first === undefined
        ? { name: nameOfGroup(name, field), isKnown: true }
        : placeOf(partsOf(name, field), path);
    default:
      return { name, isKnown: true };
  }
}

/** A group itself has no control: its choice or its first part stands for it. */
function nameOfGroup(name: string, field: Extract<Field, { kind: 'group' }>): string {
  return field.sameAs === undefined ? `${name}.${Object.keys(field.fields)[0] ?? ''}` : sameOrOther(name);
}

function partsOf(name: string, { fields }: Extract<Field, { kind: 'group' | 'rows' }>): PlacedField[] {
  return Object.entries(fields).map(([key, field]) => ({ path: `${name}.${key}`, key, field }));
}

/**
 * Returns the message for an issue: the first of its own texts that exists, otherwise the text of its code.
 * @param label of the field; null for a field that the form does not have
 * @param namesOf returns the names of the issue's own texts
 */
export function issueText(
  t: Translate,
  { code = 'invalid', limit }: Issue,
  label: string | null,
  namesOf: (code: string) => readonly string[],
): string {
  const values = { label: label ?? t('verify:fields.unknown'), ...(limit !== undefined && { limit }) };
  return findText(t, namesOf(code), values) ?? t(`site:issues.${code}`, values);
}
