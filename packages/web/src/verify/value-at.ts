import type { JsonObject, JsonValue } from '@countersign/domain';

/** The value at a path such as `document.number`; undefined where there is none. */
export function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    const fields: Readonly<Record<string, JsonValue>> = value as Readonly<Record<string, JsonValue>>;
    value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  }
  return value;
}

/** The object with the value set at the path; undefined takes it away. Nothing given is changed. */
export function withValueAt(object: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const [key = '', ...rest] = path.split('.');
  const { [key]: child, ...others } = object;
  if (rest.length > 0) {
    return { ...object, [key]: withValueAt(isObject(child) ? child : {}, rest.join('.'), value) };
  }
  return value === undefined ? others : { ...others, [key]: value };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
