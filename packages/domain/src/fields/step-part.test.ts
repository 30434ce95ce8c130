import { expect, test } from 'vitest';
import { isCountersignError } from '../errors.ts';
import type { JsonObject } from '../input/json.ts';
import type { FieldList } from './field.ts';
import { mergedDraft } from './step-part.ts';

const text = { kind: 'text', max: 10 } as const;
const FIELDS: FieldList = {
  name: text,
  home: { kind: 'group', fields: { city: text, street: text } },
  friends: { kind: 'rows', max: 2, fields: { name: text } },
  seenAt: { kind: 'timestamp', by: 'server' },
};
const DRAFT = { name: 'Tom', home: { city: 'Rome', street: 'Via' } };

const merged = (fields: string[], input: unknown) => mergedDraft(FIELDS, DRAFT, { fields, input });

test.each<[fields: string[], input: unknown, draft: JsonObject]>([
  [['name'], { name: ' Ann ' }, { ...DRAFT, name: 'Ann' }],
  [['name'], {}, { home: DRAFT.home }],
  [['home.city'], { home: { city: 'Oslo' } }, { name: 'Tom', home: { city: 'Oslo', street: 'Via' } }],
  [['home.city', 'home.street'], { home: { city: 'Oslo' } }, { name: 'Tom', home: { city: 'Oslo' } }],
  [['home'], { home: { city: 'Oslo' } }, { name: 'Tom', home: { city: 'Oslo' } }],
  [['friends'], { friends: [{ name: 'x'.repeat(11) }] }, { ...DRAFT, friends: [{ name: 'x'.repeat(11) }] }],
])('mergedDraft: sets or clears %j', (fields, input, draft) => {
  expect(merged(fields, input)).toStrictEqual(draft);
});

test.each<[fields: string[], input: unknown, issues: string[]]>([
  [['name'], null, [' invalid']],
  [['name'], ['x'], [' invalid']],
  [['gone', 'name', 'seenAt'], {}, ['fields.0 unknown_field', 'fields.2 unknown_field']],
  [['name'], { name: 'Ann', other: 1 }, ['other unknown_field']],
  [['name'], { other: { name: 'Ann' } }, ['other unknown_field']],
  [['name', 'home.city'], { home: { city: 'Oslo', street: 'x' } }, ['home.street unknown_field']],
  [['name', 'home.city'], { home: 'Oslo' }, ['home unknown_field']],
])('mergedDraft: refuses %j with %j', (fields, input, issues) => {
  try {
    expect.unreachable(JSON.stringify(merged(fields, input)));
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    expect(error.data?.issues?.map(({ path, code }) => `${path} ${code}`)).toEqual(issues);
  }
});
