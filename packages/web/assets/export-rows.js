// @ts-check
// Counts the rows of a CSV file that comes in pieces, and knows whether it ends at the end of a row.

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/**
 * @returns {{ take(bytes: Uint8Array): void, rows(): number, isWhole(): boolean }} `rows` without the line of names;
 * `isWhole` says whether all that came so far is whole lines
 */
export function createRowCounter() {
  let lines = 0;
  let isQuoted = false;
  let last = 0;
  return {
    take(bytes) {
      for (const byte of bytes) {
        // A quote in a cell is written twice, so it opens and closes as often.
        if (byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) lines += 1;
        last = byte;
      }
    },
    rows: () => Math.max(0, lines - 1),
    isWhole: () => lines > 0 && !isQuoted && last === LINE_FEED,
  };
}
