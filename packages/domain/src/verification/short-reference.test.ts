import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idsOfReference, readShortReference, shortReference } from './short-reference.ts';

const ID = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602';
const anId = fc.uuid();

/** Whether a database finds the id where the reference says that it is. */
function isFound(id: string, reference: string): boolean {
  const { ranges, ending } = idsOfReference(reference);
  return ranges.filter(({ first, last }) => id >= first && id <= last).length === 1 && id.endsWith(ending);
}

describe('shortReference', () => {
  it('writes eight characters of Crockford’s base32 in two groups', () => {
    expect(shortReference(ID)).toBe('3JKZ-G77Y');
    fc.assert(
      fc.property(anId, (id) => {
        expect(shortReference(id)).toMatch(/^(?!.*[IL])(?!.*[OU])[0-9A-Z]{4}-[0-9A-Z]{4}$/);
      }),
    );
  });

  it.each(['', 'verification-1', ID.toUpperCase(), `${ID}\n`, ` ${ID}`])(
    '%j, which is no UUID, stays as it is',
    (id) => {
      expect(shortReference(id)).toBe(id);
    },
  );

  it('neighbouring ids have references that differ in most characters', () => {
    const references = Array.from({ length: 200 }, (_, n) =>
      shortReference(`01993d4c-5a80-7cc5-b4b4-3c1f0ae1a${n.toString(16).padStart(3, '0')}`),
    );

    const differences = references.slice(1).map((reference, index) => {
      const before = references[index] ?? '';
      return [...reference].filter((character, place) => character !== before[place]).length;
    });
    expect(new Set(references).size).toBe(200);
    expect(Math.min(...differences)).toBeGreaterThanOrEqual(5);
  });
});

describe('idsOfReference', () => {
  it('finds every id by its reference', () => {
    fc.assert(
      fc.property(anId, (id) => {
        expect(isFound(id, shortReference(id))).toBe(true);
      }),
    );
  });

  it('finds an id by no reference of another id', () => {
    fc.assert(
      fc.property(anId, anId, (id, other) => {
        expect(isFound(id, shortReference(other))).toBe(shortReference(id) === shortReference(other));
      }),
    );
  });

  it('finds ids that differ only in digits which a reference leaves out', () => {
    const other = 'ff993d4c-5fff-4000-8000-000000000602';

    expect(shortReference(other)).toBe(shortReference(ID));
    expect(isFound(other, shortReference(ID))).toBe(true);
  });

  it.each(['', '-', '7K3F92QD', '7k3f-92qd', '7K3F-92QU', '7K3F-92Q', '7K3-F92QD', '7K3F-92QD-', ID])(
    '%j finds no id',
    (text) => {
      expect(idsOfReference(text)).toEqual({ ranges: [], ending: '' });
    },
  );
});

describe('readShortReference', () => {
  it.each([
    ['7K3F-92QD', '7K3F-92QD'],
    ['7k3f92qd', '7K3F-92QD'],
    [' 7k 3f – 92 qd ', '7K3F-92QD'],
    ['7K3F\u201192QD', '7K3F-92QD'],
    ['oOiI-lL01', '0011-1101'],
  ])('%j is read as %s', (text, reference) => {
    expect(readShortReference(text)).toBe(reference);
  });

  it('reads every reference as it was written', () => {
    fc.assert(
      fc.property(anId, (id) => {
        expect(readShortReference(shortReference(id))).toBe(shortReference(id));
      }),
    );
  });

  it.each([
    '',
    ' ',
    '7K3F-92Q',
    '7K3F-92QDD',
    '7K3F-92QU',
    '7K3F_92QD',
    '７K3F-92QD',
    'ß3F-92QD1',
    '7K3F-92Qı',
    ID,
  ])('%j is none', (text) => {
    expect(readShortReference(text)).toBe(null);
  });
});
