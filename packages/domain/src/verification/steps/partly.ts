/** Answers of which any part may still be missing, or was left out because it is wrong. */
export type Partly<T> = T extends readonly (infer E)[]
  ? readonly (Partly<E> | undefined)[]
  : T extends object
    ? { readonly [K in keyof T]?: Partly<T[K]> | undefined }
    : T;

/** A copy without what stands at the paths given: fields are left out, entries of lists become undefined. */
export function withoutPaths(value: unknown, paths: ReadonlySet<string>, path = ''): unknown {
  if (paths.has(path)) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry, index) => withoutPaths(entry, paths, below(path, index)));
  const fields = Object.entries(value).filter(([key]) => !paths.has(below(path, key)));
  return Object.fromEntries(fields.map(([key, child]) => [key, withoutPaths(child, paths, below(path, key))]));
}

/** Whether the path is this one, or leads to something within it. */
export function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

export function below(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}
