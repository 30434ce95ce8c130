import { RefusedFile } from './answer.ts';

/** A value in a PDF (ISO 32000-2, 7.3), as far as the checks need it. Strings, references and words are `other`. */
export type PdfValue = PdfName | number | PdfDictionary | readonly PdfValue[] | null | 'other';

export interface PdfName {
  readonly name: string;
}

export type PdfDictionary = ReadonlyMap<string, PdfValue>;

type Token =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'string' }
  | { readonly kind: '<<' | '>>' | '[' | ']' };

/** Nesting of dictionaries and arrays. Readers stop at 64 to 500. */
const DEPTH_MAX = 200;
/** Words that no dictionary contains: an object began or ended in between. */
const STRUCTURE_WORDS: readonly string[] = [
  'obj',
  'endobj',
  'stream',
  'endstream',
  'trailer',
  'xref',
  'startxref',
];

/** Called for what a reader passes. */
export interface PdfVisitor {
  /** Each name outside of strings and comments. */
  name(name: string): void;
  /** Each entry of a dictionary. */
  entry(key: string, value: PdfValue): void;
}

/** Reads the dictionaries and words of a PDF one by one. */
export class PdfReader {
  readonly #bytes: Buffer;
  readonly #visitor: PdfVisitor;
  /** Position of the next byte. */
  position = 0;

  constructor(bytes: Buffer, visitor: PdfVisitor) {
    this.#bytes = bytes;
    this.#visitor = visitor;
  }

  /**
   * Reads the next dictionary or word, and passes over everything else.
   * @returns null at the end
   * @throws RefusedFile `damaged` for a string that does not end, `too_complex` for too many levels
   */
  next(): PdfDictionary | string | null {
    for (let token = this.#token(); token !== null; token = this.#token()) {
      if (token.kind === '<<') return this.#dictionary(1);
      if (token.kind === 'word') return token.word;
    }
    return null;
  }

  /** Reads the entries of a dictionary up to its end, or up to a word that no dictionary contains. */
  #dictionary(depth: number): PdfDictionary {
    const entries = new Map<string, PdfValue>();
    let key: string | null = null;
    for (const value of this.#values('>>', depth)) {
      if (key === null) key = isName(value) ? value.name : null;
      else {
        entries.set(key, value);
        this.#visitor.entry(key, value);
        key = null;
      }
    }
    return entries;
  }

  #values(end: '>>' | ']', depth: number): PdfValue[] {
    if (depth > DEPTH_MAX) throw new RefusedFile('too_complex');
    const values: PdfValue[] = [];
    for (;;) {
      const before = this.position;
      const token = this.#token();
      if (token === null || token.kind === end) return values;
      switch (token.kind) {
        case 'name':
          values.push({ name: token.name });
          break;
        case 'number':
          values.push(token.number);
          break;
        case '<<':
          values.push(this.#dictionary(depth + 1));
          break;
        case '[':
          values.push(this.#values(']', depth + 1));
          break;
        case 'string':
          values.push('other');
          break;
        case 'word':
          if (STRUCTURE_WORDS.includes(token.word)) {
            this.position = before;
            return values;
          }
          // The two numbers of a reference, `12 0 R`, are one value.
          if (token.word === 'R') values.splice(-2, 2);
          values.push(token.word === 'null' ? null : 'other');
          break;
        default:
          // The end of something that did not begin.
          break;
      }
    }
  }

  #token(): Token | null {
    const token = this.#read();
    if (token?.kind === 'name') this.#visitor.name(token.name);
    return token;
  }

  #read(): Token | null {
    const bytes = this.#bytes;
    for (;;) {
      const byte = bytes[this.position];
      if (byte === undefined) return null;
      if (isSpace(byte)) this.position++;
      else if (byte === PERCENT) this.#skipComment();
      else break;
    }
    switch (bytes[this.position++]) {
      case SLASH:
        return { kind: 'name', name: withoutEscapes(this.#regular()) };
      case PAREN_OPEN:
        return this.#skipString();
      case LESS:
        if (bytes[this.position] !== GREATER && bytes[this.position] !== LESS) return this.#skipHexString();
        return bytes[this.position++] === LESS ? { kind: '<<' } : { kind: 'string' };
      case GREATER:
        if (bytes[this.position] !== GREATER) return { kind: 'word', word: '>' };
        this.position++;
        return { kind: '>>' };
      case BRACKET_OPEN:
        return { kind: '[' };
      case BRACKET_CLOSE:
        return { kind: ']' };
      default: {
        this.position--;
        const word = this.#regular();
        // A delimiter that begins nothing.
        if (word === '') this.position++;
        return /^[+-]?\d*\.?\d+$|^[+-]?\d+\.$/.test(word)
          ? { kind: 'number', number: Number(word) }
          : { kind: 'word', word };
      }
    }
  }

  /** Reads the characters up to the next space or delimiter. */
  #regular(): string {
    const start = this.position;
    let end = start;
    for (
      let byte = this.#bytes[end];
      byte !== undefined && !isSpace(byte) && !isDelimiter(byte);
      byte = this.#bytes[end]
    )
      end++;
    this.position = end;
    return this.#bytes.toString('latin1', start, end);
  }

  #skipComment(): void {
    for (let byte = this.#bytes[this.position]; byte !== undefined; byte = this.#bytes[++this.position]) {
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return;
    }
  }

  #skipString(): Token {
    let depth = 1;
    while (depth > 0) {
      const byte = this.#bytes[this.position++];
      if (byte === undefined) throw new RefusedFile('damaged');
      if (byte === BACKSLASH) this.position++;
      else if (byte === PAREN_OPEN) depth++;
      else if (byte === PAREN_CLOSE) depth--;
    }
    return { kind: 'string' };
  }

  #skipHexString(): Token {
    const end = this.#bytes.indexOf(GREATER, this.position);
    if (end === -1) throw new RefusedFile('damaged');
    this.position = end + 1;
    return { kind: 'string' };
  }
}

export function isName(value: PdfValue | undefined): value is PdfName {
  return typeof value === 'object' && value !== null && 'name' in value;
}

export function isList(value: PdfValue | undefined): value is readonly PdfValue[] {
  return Array.isArray(value);
}

export function isDictionary(value: PdfValue | undefined): value is PdfDictionary {
  return value instanceof Map;
}

export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
const PERCENT = 0x25;
const PAREN_OPEN = 0x28;
const PAREN_CLOSE = 0x29;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;
const BRACKET_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_CLOSE = 0x5d;

/** Whether a byte is white space (ISO 32000-2, table 1). */
export function isSpace(byte: number): boolean {
  return (
    byte === 0x20 || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === 0x09 || byte === 0x0c || byte === 0
  );
}

const DELIMITERS: ReadonlySet<number> = new Set(Buffer.from('()<>[]{}/%'));

function isDelimiter(byte: number): boolean {
  return DELIMITERS.has(byte);
}

/** Replaces `#4a` in a name by the character. */
function withoutEscapes(name: string): string {
  if (!name.includes('#')) return name;
  return name.replace(/#([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
