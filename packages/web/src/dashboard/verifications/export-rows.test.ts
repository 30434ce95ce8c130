import { describe, expect, it } from 'vitest';

// Modules of pages are checked with the types of a browser, by a configuration of their own.
const module = new URL('../../../assets/export-rows.js', import.meta.url).href;
const { createRowCounter } = (await import(module)) as {
  createRowCounter(): { take(bytes: Uint8Array): void; rows(): number; isWhole(): boolean };
};

const FILE = 'id,reference\r\n1,plain\r\n2,"two\r\nlines, ""quoted"""\r\n3,Zoë\r\n';

function counted(text: string, pieceLength: number) {
  const counter = createRowCounter();
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += pieceLength) {
    counter.take(bytes.subarray(start, start + pieceLength));
  }
  return { rows: counter.rows(), isWhole: counter.isWhole() };
}

describe('the rows of an export that comes in pieces', () => {
  it.each([1, 2, 7, 1_000])('are counted in pieces of %d bytes: line breaks within a cell are none', (length) => {
    expect(counted(FILE, length)).toEqual({ rows: 3, isWhole: true });
  });

  it('are none before the first one', () => {
    expect(counted('', 1)).toEqual({ rows: 0, isWhole: false });
    expect(counted('id,reference\r\n', 5)).toEqual({ rows: 0, isWhole: true });
  });

  it.each([
    ['within a row', FILE.slice(0, -4)],
    ['before the line feed', FILE.slice(0, -1)],
    ['after a line break within a cell', 'id,reference\r\n2,"two\r\n'],
  ])('that end %s are not whole', (_where, text) => {
    expect(counted(text, 3).isWhole).toBe(false);
  });
});
