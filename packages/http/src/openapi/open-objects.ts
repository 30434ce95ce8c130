/**
 * Copies a document without its `additionalProperties: false`. In responses and webhooks it would forbid fields that a later version adds:
 * generated clients would refuse them, and some generators make maps instead of models of such objects.
 */
export function withOpenObjects(document: object): object {
  // Most operations share the schemas of their errors.
  const copies = new Map<object, object>();

  function copyOf(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const copy = copies.get(value) ?? (Array.isArray(value) ? value.map(copyOf) : openObject(value));
    copies.set(value, copy);
    return copy;
  }

  function openObject(value: object): object {
    const entries = Object.entries(value).filter(
      ([key, held]) => !(key === 'additionalProperties' && held === false),
    );
    return Object.fromEntries(entries.map(([key, held]) => [key, copyOf(held)]));
  }

  return openObject(document);
}
