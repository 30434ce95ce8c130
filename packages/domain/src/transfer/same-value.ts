/** Whether two values made of plain objects, arrays, dates and scalars are the same, in whatever order their fields are. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
  }
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const fields = Object.keys(a);
  return (
    fields.length === Object.keys(b).length &&
    fields.every((field) => Object.hasOwn(b, field) && isSameValue(fieldOf(a, field), fieldOf(b, field)))
  );
}

function fieldOf(value: object, field: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[field];
}
