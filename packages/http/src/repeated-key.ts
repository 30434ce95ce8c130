// The structure of valid JSON: braces outside strings, and strings, with a colon where they are keys.
const TOKENS = /[{}]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g;

/**
 * Finds the first key that an object in a JSON text has twice. `JSON.parse` silently keeps only the last of them
 * (RFC 8259 section 4 leaves this open). Takes linear time and does not recurse.
 *
 * @param text valid JSON
 * @param value the result of parsing it
 * @returns the key, or null if each object has each of its keys once
 */
export function repeatedKey(text: string, value: unknown): string | null {
  // Nearly every request: as many keys were parsed as were written, so none was dropped.
  return keysWritten(text) === keysParsed(value) ? null : firstRepeated(text);
}

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/** Counts the keys in the text: outside strings, a colon follows each key and nothing else. */
function keysWritten(text: string): number {
  let colons = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) inString = !inString;
    else if (inString && character === BACKSLASH) index++;
    else if (!inString && character === COLON) colons++;
  }
  return colons;
}

function keysParsed(value: unknown): number {
  let keys = 0;
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const children = Object.values(next);
    if (!Array.isArray(next)) keys += children.length;
    for (const child of children) if (typeof child === 'object') pending.push(child);
  }
  return keys;
}

function firstRepeated(text: string): string | null {
  const outer: Set<string>[] = [];
  let keys = new Set<string>();
  for (const [token, literal, colon] of text.matchAll(TOKENS)) {
    if (token === '{') {
      outer.push(keys);
      keys = new Set();
    } else if (token === '}') {
      keys = outer.pop() ?? keys;
    } else if (literal !== undefined && colon !== undefined) {
      const key = literal.includes('\\') ? (JSON.parse(literal) as string) : literal.slice(1, -1);
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return null;
}
