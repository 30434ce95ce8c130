/** As PostgreSQL reads it. A year beyond 9999 has no sign there. */
export function momentText(moment: Date): string {
  const text = moment.toISOString();
  return text.startsWith('+') ? text.replace(/^\+0*/, '') : text;
}

export function momentTextOrNull(moment: Date | null): string | null {
  return moment === null ? null : momentText(moment);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Whether these can be ids at all: anything else finds nothing, where PostgreSQL would answer with an error. Lower case
 * only, since ids are compared as they are.
 */
export function areIds(...texts: readonly string[]): boolean {
  return texts.every((text) => UUID.test(text));
}

export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** Whether PostgreSQL can hold the text, and so whether looking for it makes sense. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
