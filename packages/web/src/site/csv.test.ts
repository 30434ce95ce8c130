import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';

describe('a line of CSV', () => {
  it('ends in CRLF, the last one too', () => {
    expect(csvLine(['a', '', 'c'])).toBe('a,,c\r\n');
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['a;b', 'a;b'],
    [' spaces ', ' spaces '],
    ['Zoë 😀', 'Zoë 😀'],
  ])('writes %j as %j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1', "'+49 30 1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\r=1', '"\'\r\'=1"'],
    ['\n=1', '"\'\n\'=1"'],
    ['＝1', "'＝1"],
    ['=HYPERLINK("https://x.example","a")', '"\'=HYPERLINK(""https://x.example"",""a"")"'],
    ['a;=1+1', "a;'=1+1"],
    ['a;=1;+2', "a;'=1;'+2"],
    ['a\t=1', "a\t'=1"],
    ['a|@SUM(A1)', "a|'@SUM(A1)"],
    ['a; "=1"', '"a;\' ""=1"""'],
    ['a\n=1', '"a\n\'=1"'],
    ['a,-1', '"a,\'-1"'],
    [' =1', "' =1"],
    ['user=1', 'user=1'],
    ['a-b', 'a-b'],
    ['a; b-c', 'a; b-c'],
  ])('lets no spreadsheet calculate %j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`);
  });
});

describe('a line of CSV with any text', () => {
  const nasty = fc.constantFrom(...'=+-@＝＋－＠,;|\t\r\n"\' a1');
  const text = fc.string({
    unit: fc.oneof({ weight: 4, arbitrary: nasty }, fc.string({ minLength: 1, maxLength: 1 })),
  });
  const texts = fc.array(text, { minLength: 1, maxLength: 4 });

  it.each([',', ';', '\t', '|'])('has no formula where a spreadsheet splits it at %j', (separator) => {
    fc.assert(
      fc.property(texts, (cells) => {
        for (const cell of cellsOf(csvLine(['id', ...cells]), separator)) expect(cell).not.toMatch(FORMULA);
      }),
      { numRuns: 2_000 },
    );
  });

  it('holds each text unchanged but for apostrophes', () => {
    const bare = (cells: readonly string[]) => cells.map((cell) => cell.replaceAll("'", ''));
    fc.assert(
      fc.property(texts, (cells) => {
        expect(bare(cellsOf(csvLine(cells).slice(0, -2), ','))).toEqual(bare(cells));
      }),
    );
  });
});

/** A cell that a spreadsheet calculates, once it has dropped spaces and quotes at its start. */
const FORMULA = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Splits CSV as spreadsheets do: a quote opens a cell only at the cell's start. */
function cellsOf(csv: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isStart = true;
  let isQuoted = false;
  const characters = [...csv];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (isQuoted && character === '"' && characters[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (isQuoted) {
      if (character === '"') isQuoted = false;
      else cell += character;
    } else if (isStart && character === '"') {
      isQuoted = true;
    } else if (character === separator || character === '\r' || character === '\n') {
      cells.push(cell);
      cell = '';
      isStart = true;
      continue;
    } else {
      cell += character;
    }
    isStart = false;
  }
  return [...cells, cell];
}
