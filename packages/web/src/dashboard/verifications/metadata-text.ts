import type { JsonObject, JsonValue } from '@countersign/domain';

/** Metadata as typed. */
interface TypedMetadata {
  /** The parsed JSON; the text itself if it is not JSON; undefined if it is empty. */
  readonly value: JsonValue | undefined;
  /** What is wrong with the text; null if it is a JSON object or empty. */
  readonly fault: JsonFault | 'not_an_object' | null;
}

export function readMetadata(text: string): TypedMetadata {
  if (text === '') return { value: undefined, fault: null };
  const fault = jsonFaultIn(text);
  if (fault !== null) return { value: text, fault };
  const value = JSON.parse(text) as JsonValue;
  return { value, fault: isObject(value) ? null : 'not_an_object' };
}

/**
 * Adds the outcome that a verification in test mode reaches. A second outcome is added beside the first, which the domain refuses.
 * Metadata that is not an object is returned unchanged.
 */
export function withSandboxOutcome(value: JsonValue | undefined, sandboxOutcome: string): JsonValue | undefined {
  if (sandboxOutcome === '' || !(value === undefined || isObject(value))) return value;
  const outcome = namesOutcome(value) ? [value?.sandboxOutcome ?? null, sandboxOutcome] : sandboxOutcome;
  return { ...value, sandboxOutcome: outcome };
}

/** Whether the metadata names an outcome. */
export function namesOutcome(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.hasOwn(value, 'sandboxOutcome');
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a text stops being JSON: line and column, from 1. */
interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** Whether the text ends too early. */
  readonly atEnd: boolean;
}

/** Finds where a text is not JSON; null if it is. `JSON.parse` does not always report the place. */
export function jsonFaultIn(text: string): JsonFault | null {
  const scanner = new Scanner(text);
  if (scanner.value() && scanner.isAtEnd()) return null;
  const before = text.slice(0, scanner.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return { line: before.length, column, atEnd: scanner.offset >= text.length };
}

/** More levels than metadata may have. The bound keeps deep nesting from exhausting the stack. */
const DEPTH_MAX = 500;

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

/** Reads one value from left to right (RFC 8259), and stops where it cannot continue. */
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
