/**
 * Returns the text by which clients are ordered and found: their name without case, accents and compatibility forms.
 * @example
 * clientNameKey('Café Zoë'); // 'cafe zoe'
 */
export function clientNameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}
