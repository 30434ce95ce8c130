/** Characters of a Legal Entity Identifier (ISO 17442). */
export const LEI_LENGTH = 20;

const FORMAT = /^[A-Z0-9]{18}\d{2}$/;
const MODULUS = 97;

/** Whether the text is a Legal Entity Identifier with correct check digits (ISO 17442; ISO 7064 MOD 97-10). */
export function isLei(text: string): boolean {
  if (!FORMAT.test(text)) return false;
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % MODULUS;
  }
  return remainder === 1;
}
