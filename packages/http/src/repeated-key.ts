// In valid JSON these stand for its structure: braces outside texts, and texts, with a colon when they are keys.
const TOKENS = /[{}]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g;

/**
 * The first key that one object in the JSON text has twice, or null. `JSON.parse` would keep the last of them and drop
 * the others without a word (RFC 8259 section 4 leaves it open). Linear, and without recursion.
 * @param text valid JSON
 * @param value what it was parsed to
 */
export function repeatedKey(text: string, value: unknown): string | null {
  // Where as many keys were kept as were written, none was lost, as with nearly every request.
  return keysWritten(text) === keysKept(value) ? null : firstRepeated(text);
}

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/** Each key is followed by the one kind of colon that stands outside a text. */
function keysWritten(text: string): number {
  let colons = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) inText = !inText;
    else if (inText && character === BACKSLASH) index++;
    else if (!inText && character === COLON) colons++;
  }
  return colons;
}

function keysKept(value: unknown): number {
  let keys = 0;
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const children = Object.values(next);
    if (!Array.isArray(next)) keys += children.length;
    for (const child of children) if (typeof child === 'object') waiting.push(child);
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
