// In valid JSON these stand for its structure: braces outside texts, and texts, with a colon when they are keys.
const TOKENS = /[{}]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g;

/**
 * The first key that one object in the JSON text has twice, or null. `JSON.parse` would keep the last of them and drop
 * the others without a word (RFC 8259 section 4 leaves it open). Linear, and without recursion.
 * @param text valid JSON
 */
export function repeatedKey(text: string): string | null {
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
