import { expect, test } from 'vitest';
import type { Field, FieldList } from './field.ts';
import { sampleDay, sampleFilesOf, sampleOf } from './sample.ts';

const CONTEXT = {
  now: new Date('2026-03-01T10:00:00.000Z'),
  minimumAge: 18,
  fileIdOf: (kind: string) => `id of ${kind}`,
};
const text = { kind: 'text', max: 50 } as const;
const letters = { kind: 'choice', of: ['a', 'b', 'c'] } as const;

test.each<[name: string, field: Field, sample: unknown]>([
  ['text', text, 'Sandbox sample'],
  ['short text', { ...text, max: 3 }, 'San'],
  ['a code', { ...text, shape: 'code' }, 'SANDBOX000'],
  ['a first name', { ...text, purpose: 'given-name' }, 'Sandbox'],
  ['a region', { ...text, purpose: 'address-level1' }, 'Sandbox sample'],
  ['e-mail', { kind: 'email' }, 'sandbox@example.org'],
  ['phone', { kind: 'phone' }, '+12025550100'],
  ['website', { kind: 'website' }, 'https://example.org'],
  ['language', { kind: 'language' }, 'en'],
  ['id', { kind: 'id' }, 'sandbox'],
  ['timestamp', { kind: 'timestamp' }, '2026-03-01T10:00:00.000Z'],
  ['a date', { kind: 'date' }, '2021-01-01'],
  ['a date of birth', { kind: 'date', purpose: 'birth-date' }, '1998-01-01'],
  ['country', { kind: 'country' }, 'DE'],
  ['file', { kind: 'file', evidence: 'selfie' }, 'id of selfie'],
  ['choice', letters, 'a'],
  ['number with a largest value', { kind: 'number', min: 2, max: 9 }, 9],
  ['number with a least value', { kind: 'number', min: 2 }, 2],
  ['number', { kind: 'number' }, 1],
  ['statement', { kind: 'statement' }, true],
  ['flag', { kind: 'flag' }, false],
  ['list', { kind: 'list', each: text, min: 2, max: 3 }, ['Sandbox sample', 'Sandbox sample']],
  ['list without a least length', { kind: 'list', each: text, max: 3 }, []],
  ['list of choices', { kind: 'list', each: letters, min: 2, max: 3 }, ['a', 'b']],
  ['list of choices without a least length', { kind: 'list', each: letters, max: 3 }, []],
  ['rows', { kind: 'rows', min: 1, max: 3, fields: { name: text } }, [{ name: 'Sandbox sample' }]],
  ['rows without a least length', { kind: 'rows', max: 3, fields: { name: text } }, []],
  ['group', { kind: 'group', fields: { name: text } }, { name: 'Sandbox sample' }],
])('the sample answer to a field of kind %s', (_name, field, sample) => {
  expect(sampleOf({ fields: { field }, sample: undefined }, CONTEXT)).toEqual({ field: sample });
});

const fields: FieldList = {
  type: letters,
  back: { kind: 'file', evidence: 'document_back', when: { type: ['b'] } },
  front: { kind: 'file', evidence: 'document_front', when: { type: ['a'] } },
  nickname: { ...text, optional: true },
  seenAt: { kind: 'timestamp', by: 'server' },
};

test('a sample has neither optional answers, nor those of the server, nor those that are not asked', () => {
  expect(sampleOf({ fields, sample: undefined }, CONTEXT)).toEqual({ type: 'a', front: 'id of document_front' });
  expect(sampleFilesOf({ fields, sample: undefined }, CONTEXT)).toEqual(['document_front']);
});

test('values that a step gives come first, and decide what is asked', () => {
  const sample = () => ({ type: 'b', nickname: 'Sam' });
  expect(sampleOf({ fields, sample }, CONTEXT)).toEqual({
    type: 'b',
    back: 'id of document_back',
    nickname: 'Sam',
  });
  expect(sampleFilesOf({ fields, sample }, CONTEXT)).toEqual(['document_back']);
  expect(sampleOf({ fields: { name: text }, sample: () => ({ name: {} }) }, CONTEXT)).toEqual({ name: {} });
});

test('sampleDay: the first of January, with four digits of the year', () => {
  expect([sampleDay(CONTEXT.now, -28), sampleDay(CONTEXT.now, 2), sampleDay(CONTEXT.now, -1946)]).toEqual([
    '1998-01-01',
    '2028-01-01',
    '0080-01-01',
  ]);
});
