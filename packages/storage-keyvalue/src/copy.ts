/**
 * Copies a value as `structuredClone` does, which takes several times as long for the small objects of a storage.
 *
 * @throws DataCloneError for a function or a symbol
 */
export function copyOf<T>(value: T): T {
  return copied(value) as T;
}

function copied(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (Array.isArray(value)) return value.map(copied);
  if (value instanceof Date) return new Date(value);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return structuredClone(value);
  // It sets an own property `__proto__` too, which an assignment would not.
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copied(one)]));
}
