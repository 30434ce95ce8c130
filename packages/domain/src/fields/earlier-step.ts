import type { Field, FieldList } from './field.ts';

/** What an earlier version of a step had otherwise. */
export interface EarlierStep {
  /** By the path of a field, also of one within a group or rows. */
  readonly fields?: Readonly<Record<string, EarlierField>>;
  /** All pages of the earlier version. Default: the same. */
  readonly pages?: Readonly<Record<string, readonly string[]>>;
}

/** The properties of a field that an earlier version lacked, as undefined. */
export type EarlierField = { readonly optional?: true } & {
  readonly [K in Exclude<KeysOf<Field>, 'kind' | 'optional'>]?: undefined;
};

type KeysOf<T> = T extends unknown ? keyof T : never;

/** Returns the fields as an earlier version had them. @throws Error for a path that is no field */
export function earlierFields(fields: FieldList, changes: EarlierStep['fields'] = {}): FieldList {
  return Object.entries(changes).reduce((list, [path, change]) => changed(list, path.split('.'), change), fields);
}

function changed(list: FieldList, [key = '', ...rest]: readonly string[], change: EarlierField): FieldList {
  const field = list[key];
  if (field === undefined)
    throw new Error(`There is no field ${key} that an earlier version could have otherwise`);
  if (rest.length === 0) return { ...list, [key]: { ...field, ...change } as typeof field };
  const inner = 'fields' in field ? field.fields : {};
  return { ...list, [key]: { ...field, fields: changed(inner, rest, change) } as typeof field };
}
