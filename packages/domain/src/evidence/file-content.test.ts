import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canHaveBytes, joinContent, partOfContent } from './file-content.ts';

const bytes = fc.uint8Array({ maxLength: 50 });

test('file content: returns the file and each page that were joined', () => {
  fc.assert(
    fc.property(bytes, fc.array(bytes, { maxLength: 10 }), (original, pages) => {
      const content = joinContent(original, pages);
      for (const [part, expected] of [original, ...pages].entries()) {
        expect(partOfContent(content, pages.length, part)).toEqual(expected);
      }
    }),
  );
});

test('file content: a file without pages is its own content', () => {
  const original = Uint8Array.of(1, 2, 3);
  expect(joinContent(original, [])).toBe(original);
});

test.each([0, 11, 12, -1])('file content: the first %i bytes have no parts', (length) => {
  const content = joinContent(Uint8Array.of(1), [Uint8Array.of(2), Uint8Array.of(3)]);
  expect(partOfContent(content.slice(0, length), 2, 0)).toBeNull();
});

test('canHaveBytes: knows the size of every content, and no smaller one', () => {
  fc.assert(
    fc.property(
      bytes,
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 10 }),
      (original, pages) => {
        const file = { size: original.byteLength, pages: pages.length };
        expect(canHaveBytes(file, joinContent(original, pages).byteLength)).toBe(true);
        expect(canHaveBytes(file, original.byteLength - 1)).toBe(false);
        if (pages.length === 0) expect(canHaveBytes(file, original.byteLength + 1)).toBe(false);
        else expect(canHaveBytes(file, original.byteLength)).toBe(false);
      },
    ),
    { examples: [[Uint8Array.of(1, 2), []]] },
  );
});

test('file content: parts may be empty', () => {
  const nothing = new Uint8Array();
  expect(partOfContent(joinContent(nothing, [nothing]), 1, 1)).toEqual(nothing);
});

test.each([
  [10, 0, 9, false],
  [10, 0, 10, true],
  [10, 0, 11, false],
  [10, 2, 22, false],
  [10, 2, 23, true],
])('canHaveBytes: a file of %i bytes and %i pages, %i bytes: %s', (size, pages, count, expected) => {
  expect(canHaveBytes({ size, pages }, count)).toBe(expected);
});
