import type { Language } from '../site/messages.ts';

const UNITS = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const;

/** How long ago something was, in its greatest unit: `3 days ago`. At least a minute. */
export function agoInWords(milliseconds: number, language: Language): string {
  const [unit, length] = UNITS.find(([, ms]) => milliseconds >= ms) ?? UNITS[2];
  const count = Math.max(1, Math.floor(milliseconds / length));
  return new Intl.RelativeTimeFormat(language).format(-count, unit);
}
