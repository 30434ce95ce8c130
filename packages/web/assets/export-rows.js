// @ts-check
// Counts the rows of a CSV file that arrives in chunks, and detects a file that ends within a row.

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/**
 * @returns {{ take(bytes: Uint8Array): void, rows(): number, isWhole(): boolean }} `rows` does not count the header;
 * `isWhole` tells whether the bytes so far end with a line
 */
export function createRowCounter() {
  let lines = 0;
  let isQuoted = false;
  let last = 0;
  return {
    take(bytes) {
      for (const byte of bytes) {
        // A quote within a cell is doubled, so it closes and opens again.
        if (byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) lines += 1;
        last = byte;
      }
    },
    rows: () => Math.max(0, lines - 1),
    isWhole: () => lines > 0 && !isQuoted && last === LINE_FEED,
  };
}
