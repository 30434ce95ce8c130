const WEIGHTS = [7, 3, 1];

/** What a character counts in a check digit of ICAO 9303: digits their value, A to Z 10 to 35, the filler 0. */
function worth(character: string): number {
  if (character === '<') return 0;
  return Number.parseInt(character, 36);
}

/**
 * Returns the check digit of a text, by ICAO 9303 part 3, section 4.9.
 * @example checkDigit('520727') === '3'
 */
export function checkDigit(text: string): string {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1)
    sum += worth(text.charAt(index)) * (WEIGHTS[index % 3] ?? 0);
  return String(sum % 10);
}
