import { type Field, type Issue, isWithin, type PlacedField } from '@countersign/domain';
import { findText, type Translate } from '../site/messages.ts';
import type { FieldTexts } from './draw-field.tsx';
import { sameOrOther } from './form-answers.ts';

/** Returns the messages for a page's issues, by the name of the form field each belongs to. */
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
  return messages;
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

function partsOf(name: string, { fields }: Extract<Field, { kind: 'group' }>): PlacedField[] {
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
