/** Changes every date, list and object within a value. */
export function tamper(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Date) {
    value.setTime(0);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) tamper(item);
    value.push('tampered');
    return;
  }
  for (const child of Object.values(value)) tamper(child);
  Object.assign(value, { tampered: true });
  for (const [key, child] of Object.entries(value)) {
    if (typeof child === 'string') Object.assign(value, { [key]: 'tampered' });
    if (typeof child === 'number') Object.assign(value, { [key]: child + 1 });
  }
}

/** Freezes the value and everything in it. Dates cannot be frozen: compare them with a copy. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  for (const child of Object.values(value)) frozen(child);
  return Object.freeze(value);
}
