import type { Field, FieldList } from '../../fields/field.ts';
import { placedFields } from '../../fields/placed-fields.ts';
import type { ReadField } from '../../fields/read-fields.ts';
import { schemaOfField } from '../../fields/schema.ts';
import type { JsonValue } from '../../input/json.ts';
import { canBeSure } from '../../reading/document-reading.ts';
import { inProposedCase } from '../../reading/fold.ts';
import type { ReadDocument } from './read-document.ts';

/** A value for a field that is not answered yet. */
export interface Prefill {
  readonly value: JsonValue;
  /** Whether it is offered as read. Otherwise it is filled into an open field. */
  readonly isSure: boolean;
}

/**
 * Returns the values that a form of these fields is filled in with, by path. A value that fails the rule of its field is left out.
 */
export function prefillOf(fields: FieldList, { fields: found }: ReadDocument): ReadonlyMap<string, Prefill> {
  const prefills = new Map<string, Prefill>();
  for (const { path, field } of placedFields(fields)) {
    const { readAs } = field;
    if (readAs === undefined || readAs === 'type') continue;
    const read = found[readAs];
    if (read === undefined || !read.isOffered) continue;
    const value = valueFor(field, readAs, read.value);
    if (schemaOfField(field).safeParse(value).success) prefills.set(path, { value, isSure: read.sure });
  }
  return prefills;
}

function valueFor(field: Field, readAs: ReadField, read: string): JsonValue {
  const value = canBeSure(readAs) ? read : inProposedCase(read);
  return field.kind === 'list' ? [value] : value;
}
