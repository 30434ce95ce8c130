/** Writes a line of CSV (RFC 4180): quotes cells that need it, and ends with CRLF. No spreadsheet reads a formula in it. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const plain = text.replace(BEFORE_FORMULA, "'");
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/**
 * The places before a character that begins a formula in spreadsheets, which could read other cells and send them away
 * (OWASP, CSV injection). Full-width forms count, and spaces and quotes before it, which some spreadsheets drop. A cell
 * begins at the start, and at any separator or line break within: a spreadsheet that splits at `;`, as the German one does,
 * or at tabs sees no quotes around a text in the middle of a line.
 */
const BEFORE_FORMULA = /^(?=[\t\r\n])|(?<=^|[,;|\t\r\n])(?=[\s"']*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const NEEDS_QUOTES = /[",\r\n]/;
