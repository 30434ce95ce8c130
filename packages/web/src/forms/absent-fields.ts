import type { JsonObject } from '@countersign/domain';
import { type Field, mayBeAbsent, type PlacedField, valueAt } from '@countersign/domain/flows';
import type { Page } from '../site/page.ts';
import { absenceLabel, type FieldTexts } from './draw-field.tsx';

/** Returns the fields; those that the answers so far allow to be left out offer it. Rows decide by their own answers. */
export function withAbsences(fields: readonly PlacedField[], answers: JsonObject): readonly PlacedField[] {
  return fields.map((placed) => {
    const parent = placed.path.split('.').slice(0, -1).join('.');
    const siblings = parent === '' ? answers : valueAt(answers, parent);
    return { ...placed, field: offered(placed.field, siblings) };
  });
}

/** Returns texts whose messages name the checkbox of the fields that were filled in although they are left out. */
export function withAbsenceIssues(
  { t }: Pick<Page, 't'>,
  texts: FieldTexts,
  filled: readonly string[],
): FieldTexts {
  return {
    ...texts,
    issue(path, issue) {
      if (path === null || !filled.includes(path)) return texts.issue(path, issue);
      return t('site:notBoth', { label: texts.label(path), box: absenceLabel(t, texts, path) });
    },
  };
}

function offered(field: Field, siblings: unknown): Field {
  if (field.absence === undefined || mayBeAbsent(field, asObject(siblings))) return field;
  const { absence: _, ...required } = field;
  return required;
}

function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
