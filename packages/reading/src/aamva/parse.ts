/** What the barcode of a driver's licence of the United States or Canada says. Dates are YYYY-MM-DD. */
export interface AamvaFields {
  readonly documentNumber: string;
  readonly birthDate?: string;
  readonly expiresOn?: string;
  /** ISO 3166-1 alpha-3: `USA` or `CAN`. */
  readonly issuingState?: string;
  readonly surname?: string;
  readonly givenNames?: string;
}

/** The longest text that is looked at. Barcodes hold about a kilobyte. */
const TEXT_MAX = 100_000;
/** The longest value. */
const VALUE_MAX = 100;

/** The head of AAMVA's card design standard, annex D: compliance, separators, file type, and the number of the issuer. */
const HEAD = '@\n\x1e\rANSI ';
/** The number of the issuer and a version. */
const ISSUER = /^\d{8}/;

/** Separators of the standard between elements and between parts of the text. */
const SEPARATORS = /[\n\r]/;
const CONTROLS = /\p{Cc}/u;

/** Elements that are taken, and no others: the text holds more than was asked. */
const ELEMENTS = ['DAQ', 'DBB', 'DBA', 'DCS', 'DAC', 'DCG'] as const;
type Element = (typeof ELEMENTS)[number];

/** Reads the text of a barcode; undefined for a text without a valid head and a number. */
export function parseAamva(text: string): AamvaFields | undefined {
  if (text.length > TEXT_MAX || !text.startsWith(HEAD) || !ISSUER.test(text.slice(HEAD.length))) return undefined;
  const elements = elementsOf(text);
  const documentNumber = elements.get('DAQ');
  if (documentNumber === undefined) return undefined;
  const state = elements.get('DCG');
  const issuingState = state === 'USA' || state === 'CAN' ? state : undefined;
  const birthDate = dateOf(elements.get('DBB'), issuingState);
  const expiresOn = dateOf(elements.get('DBA'), issuingState);
  const surname = nameOf(elements.get('DCS'));
  const givenNames = nameOf(elements.get('DAC'));
  return {
    documentNumber,
    ...(birthDate && { birthDate }),
    ...(expiresOn && { expiresOn }),
    ...(issuingState && { issuingState }),
    ...(surname && { surname }),
    ...(givenNames && { givenNames }),
  };
}

/**
 * Returns the first value of each element. The first one follows the subfile's designator, such as `DL`, on its line. A value with other
 * control characters is dropped.
 */
function elementsOf(text: string): ReadonlyMap<Element, string> {
  const found = new Map<Element, string>();
  for (const line of text.split(SEPARATORS)) {
    const start = /^ANSI \d{8}.*?(?:DL|ID)(D[A-Z]{2})/.exec(line);
    const entry = start ? line.slice((start[0] ?? '').length - 3) : line;
    const element = ELEMENTS.find((one) => entry.startsWith(one));
    if (element === undefined || found.has(element)) continue;
    const value = entry.slice(element.length).trim();
    if (value !== '' && value.length <= VALUE_MAX && !CONTROLS.test(value)) found.set(element, value);
  }
  return found;
}

/** MMDDCCYY in the United States, CCYYMMDD in Canada. */
function dateOf(text: string | undefined, state: string | undefined): string | undefined {
  if (text === undefined || state === undefined || !/^\d{8}$/.test(text)) return undefined;
  const [year, rest] = state === 'USA' ? [text.slice(4), text.slice(0, 4)] : [text.slice(0, 4), text.slice(4)];
  const [month, day] = [Number(rest.slice(0, 2)), Number(rest.slice(2))];
  const date = new Date(Date.UTC(Number(year), month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && Number(year) >= 1900;
  return isReal ? `${year}-${rest.slice(0, 2)}-${rest.slice(2)}` : undefined;
}

/** `NONE` and `unavail` stand where there is no name. */
function nameOf(text: string | undefined): string | undefined {
  return text === undefined || /^(?:none|unavl|unavail)$/i.test(text) ? undefined : text;
}
