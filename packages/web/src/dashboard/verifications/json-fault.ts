/** Where a text stops being JSON: line and column, both from 1. */
export interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** Whether just something is missing at the end. */
  readonly atEnd: boolean;
}

/** Where it is not JSON; null where it is. What a JavaScript engine says of it names no place as often as not. */
export function jsonFaultIn(text: string): JsonFault | null {
  const scanner = new Scanner(text);
  if (scanner.value() && scanner.isAtEnd()) return null;
  const before = text.slice(0, scanner.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return { line: before.length, column, atEnd: scanner.offset >= text.length };
}

/** Far more levels than metadata may have: whoever sends a hundred thousand brackets gets an answer too. */
const DEPTH_MAX = 500;

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** Reads one value from left to right (RFC 8259), and stays where it could not go on. */
class Scanner {
  offset = 0;
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): boolean {
    this.#take(SPACE);
    const isValue =
      this.#text[this.offset] === '{'
        ? this.#group('}', () => this.#string() && this.#sign(':') && this.value())
        : this.#text[this.offset] === '['
          ? this.#group(']', () => this.value())
          : this.#string() || this.#take(SCALAR);
    return isValue;
  }

  isAtEnd(): boolean {
    this.#take(SPACE);
    return this.offset === this.#text.length;
  }

  #group(end: '}' | ']', item: () => boolean): boolean {
    if (this.#depth === DEPTH_MAX) return false;
    this.offset += 1;
    this.#depth += 1;
    let isWhole = this.#sign(end);
    while (!isWhole && item()) {
      isWhole = this.#sign(end);
      if (!isWhole && !this.#sign(',')) return false;
    }
    this.#depth -= 1;
    return isWhole;
  }

  #string(): boolean {
    this.#take(SPACE);
    return this.#take(STRING);
  }

  #sign(sign: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.offset] !== sign) return false;
    this.offset += 1;
    return true;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.offset;
    const found = pattern.exec(this.#text);
    if (found === null) return false;
    this.offset += found[0].length;
    return true;
  }
}
