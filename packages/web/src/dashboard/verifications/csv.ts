/**
 * Lines of CSV (RFC 4180): cells in quotes where they need them, CRLF at the end of each line. Written here rather than
 * taken from a library, since it is these two functions.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const plain = STARTS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/**
 * What spreadsheets take for the beginning of a formula, which could read other cells and send them away (OWASP, CSV
 * injection): the full-width forms too, and line feeds, which some leave out first.
 */
const STARTS_FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",\r\n]/;
