import type { Field, PlacedField } from '@countersign/domain/flows';
import { expect, it } from 'vitest';
import type { FieldTexts } from './draw-field.tsx';
import { inPageOrder, issueMessages } from './issue-messages.ts';

const text: Field = { kind: 'text', max: 10 };
const page: readonly PlacedField[] = [
  { path: 'reference', key: 'reference', field: text },
  { path: 'birth', key: 'birth', field: { kind: 'group', fields: { city: text, country: { kind: 'country' } } } },
  {
    path: 'home',
    key: 'home',
    field: { kind: 'group', fields: { line1: text }, sameAs: 'other', optional: true },
  },
  { path: 'owners', key: 'owners', field: { kind: 'rows', fields: { name: text, share: text }, min: 1, max: 12 } },
  { path: 'nations', key: 'nations', field: { kind: 'list', each: { kind: 'country' }, min: 1, max: 12 } },
];

it('messages are in the order of the page, whatever the order of their issues', () => {
  const names = [
    'reference',
    'birth.city',
    'birth.country',
    'home-choice',
    'home.line1',
    'owners',
    'owners.2.name',
    'owners.2.share',
    'owners.10.name',
    'nations.0',
    'nations.1',
    'another',
  ];
  const backwards = new Map(names.toReversed().map((name) => [name, `${name} is wrong`]));
  expect([...inPageOrder(page, backwards).keys()]).toEqual(names);
});

it('issues become messages in the order of the page: a check across fields reports after their schemas', () => {
  const unused = () => '';
  const texts: FieldTexts = {
    label: unused,
    hint: unused,
    choice: unused,
    addRow: unused,
    removeRow: unused,
    sameOrOther: unused,
    issue: (path, { message }) => `${path} ${message}`,
    row: (path, index) => `${path} ${index + 1}`,
  };
  const issues = ['owners.0.share', 'birth.city', 'reference'].map((path) => ({ path, message: 'is wrong' }));

  expect([...issueMessages(texts, page, issues)]).toEqual([
    ['reference', 'reference is wrong'],
    ['birth.city', 'birth.city is wrong'],
    ['owners.0.share', 'owners 1: owners.0.share is wrong'],
  ]);
});
