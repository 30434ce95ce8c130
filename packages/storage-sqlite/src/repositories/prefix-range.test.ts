import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { rangeValues } from './prefix-search.ts';

const TEXTS = [
  '',
  'a',
  'a%',
  'a_',
  'a\u0000',
  'aa',
  'ab',
  'A',
  'b',
  'a\u007f',
  'a\u0080',
  'a\ud7ff',
  'a\ud7ffz',
  'a\ue000',
  'a\uffff',
  'a😀',
  'a😀b',
  'a\u{10ffff}',
  'a\u{10ffff}\u{10ffff}z',
  '\u{10ffff}',
  '\u{10ffff}z',
  'é',
  'e\u0301',
];

it.each(TEXTS)(
  'prefix range of %j: contains exactly the texts with the prefix, in the order of SQLite',
  (prefix) => {
    const connection = new Database(':memory:');
    onTestFinished(() => void connection.close());
    connection.exec('CREATE TABLE texts (text TEXT NOT NULL)');
    for (const text of TEXTS) connection.prepare('INSERT INTO texts VALUES (?)').run(text);

    const { prefixFrom: from, prefixUntil: until } = rangeValues(prefix);
    const found = connection
      .prepare('SELECT text FROM texts WHERE text >= ? AND text < ?')
      .pluck()
      .all(from, until);

    expect(new Set(found)).toEqual(new Set(TEXTS.filter((text) => text.startsWith(prefix))));
  },
);
