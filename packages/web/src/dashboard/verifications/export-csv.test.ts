import { describe, expect, it } from 'vitest';
import { csvLine } from './export-stream.ts';

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
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['＝1', "'＝1"],
    ['=HYPERLINK("https://x.example","a")', '"\'=HYPERLINK(""https://x.example"",""a"")"'],
    ['user=1', 'user=1'],
    ['a-b', 'a-b'],
  ])('lets no spreadsheet calculate %j', (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`);
  });
});
