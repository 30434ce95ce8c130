const YEARS_AHEAD = 50;

/**
 * Returns the date that the six digits of a machine-readable zone (`YYMMDD`) mean by a day; null if there is no such date. A birth is not
 * after that day; the nearest year that fits is meant. An expiry is at most 50 years after it.
 */
export function wholeDate(digits: string, of: 'birth' | 'expiry', today: string): string | null {
  if (!/^\d{6}$/.test(digits)) return null;
  const rest = `-${digits.slice(2, 4)}-${digits.slice(4)}`;
  const century = Math.floor(Number(today.slice(0, 4)) / 100);
  const dates = [century + 1, century, century - 1].map((each) => `${each}${digits.slice(0, 2)}${rest}`);
  const latest = of === 'birth' ? today : `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4)}`;
  const date = dates.find((each) => each <= latest);
  return date !== undefined && isDate(date) ? date : null;
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
