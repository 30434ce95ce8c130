import type { JsonObject, JsonValue } from '../input/json.ts';

/** Whether the value is an object that is not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Appends a key or an index to a path such as `directors.0`. */
export function below(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}

/** Whether the path equals the outer one or lies within it. */
export function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

/** Returns the value at a path such as `document.number`, or undefined. */
export function valueAt(value: unknown, path: string): JsonValue | undefined {
  let found: unknown = value;
  for (const key of path.split('.')) {
    if (!isJsonObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found as JsonValue | undefined;
}

/** Returns a copy with the value set at the path; undefined removes it. */
export function withValueAt(object: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const [key = '', ...rest] = path.split('.');
  const { [key]: child, ...others } = object;
  if (rest.length > 0) {
    return { ...object, [key]: withValueAt(isJsonObject(child) ? child : {}, rest.join('.'), value) };
  }
  return value === undefined ? others : { ...others, [key]: value };
}

/** Returns a copy with the values that a source has at the paths; those that it lacks are removed. */
export function withValuesOf(object: JsonObject, source: unknown, paths: readonly string[]): JsonObject {
  return paths.reduce<JsonObject>((some, path) => withValueAt(some, path, valueAt(source, path)), object);
}

/** Returns a copy without the values at the paths: keys are removed, entries of lists become undefined. */
export function withoutPaths(value: unknown, paths: ReadonlySet<string>, path = ''): unknown {
  if (paths.has(path)) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry, index) => withoutPaths(entry, paths, below(path, index)));
  const kept = Object.entries(value).filter(([key]) => !paths.has(below(path, key)));
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutPaths(child, paths, below(path, key))]));
}
