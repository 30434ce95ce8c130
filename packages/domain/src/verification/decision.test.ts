import { describe, expect, it } from 'vitest';
import { isCountersignError } from '../errors.ts';
import { type ActionNeeded, parseActionNeeded, parseRejection } from './decision.ts';
import { currentFlow } from './flow.ts';

describe('parseActionNeeded', () => {
  const parse = (items: ActionNeeded['items']) => parseActionNeeded(currentFlow('kyc'), { items });

  it('sorts the steps in the order of the flow and trims the notes', () => {
    const { items } = parse([
      { step: 'selfie', reasonCode: 'selfie_unclear' },
      { step: 'document', reasonCode: 'other', note: ' Without flash ' },
    ]);
    expect(items.map(({ step, note }) => [step, note])).toEqual([
      ['document', 'Without flash'],
      ['selfie', null],
    ]);
  });

  it('requires a note with the reason other', () => {
    expect(() => parse([{ step: 'person', reasonCode: 'other' }])).toThrow(
      expect.objectContaining({ data: { issues: [expect.objectContaining({ code: 'note_needed' })] } }),
    );
  });
});

describe('parseActionNeeded: the field of an item', () => {
  const parse = (type: 'kyc' | 'kyb', step: string, field: string) =>
    parseActionNeeded(currentFlow(type), { items: [{ step, reasonCode: 'data_mismatch', field }] }).items;

  it.each([
    ['kyc', 'document', 'frontFileId'],
    ['kyc', 'person', 'placeOfBirth.city'],
    ['kyb', 'representative', 'document.number'],
    ['kyb', 'addresses', 'registered.city'],
    ['kyb', 'ownership', 'directors'],
  ] as const)('%s %s %s is kept', (type, step, field) => {
    expect(parse(type, step, field)).toEqual([{ step, reasonCode: 'data_mismatch', note: null, field }]);
  });

  it.each([
    ['kyc', 'document', 'dateOfBirth'],
    ['kyc', 'person', 'placeOfBirth'],
    ['kyc', 'consent', 'acceptedAt'],
    ['kyc', 'consent', 'version'],
    ['kyb', 'ownership', 'directors.0.firstName'],
  ] as const)('%s %s %s is refused: no page asks for it', (type, step, field) => {
    expect(() => parse(type, step, field)).toThrow(
      expect.objectContaining({
        data: { issues: [expect.objectContaining({ path: 'items.0.field', code: 'unknown_field' })] },
      }),
    );
  });

  it('an item without one has no such key', () => {
    const { items } = parseActionNeeded(currentFlow('kyc'), {
      items: [{ step: 'person', reasonCode: 'data_mismatch' }],
    });
    expect(items.map((item) => 'field' in item)).toEqual([false]);
  });
});

it('parseActionNeeded: names a missing note and a missing reason of two steps at once', () => {
  const items = [
    { step: 'person', reasonCode: 'other' },
    { step: 'selfie', reasonCode: '' },
    { step: 'business', reasonCode: 'data_mismatch' },
  ];
  const issues = [
    { path: 'items.1.reasonCode', code: 'required' },
    { path: 'items.0.note', code: 'note_needed' },
    { path: 'items.2.step', code: 'not_a_step' },
  ];
  expect(() => parseActionNeeded(currentFlow('kyc'), { items })).toThrow(
    expect.objectContaining({ data: { issues: issues.map((issue) => expect.objectContaining(issue)) } }),
  );
});

describe('parseActionNeeded: the issues of a wrong request', () => {
  const issuesOf = (input: unknown): readonly string[] => {
    try {
      parseActionNeeded(currentFlow('kyc'), input);
    } catch (error) {
      if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
      return (error.data?.issues ?? []).map(({ path, code }) => `${path} ${code}`);
    }
    return [];
  };

  it.each<[what: string, input: unknown, issue: string]>([
    ['no items', {}, 'items required'],
    ['items that are no list', { items: 'person' }, 'items invalid'],
    ['an item without a step', { items: [{ reasonCode: 'data_mismatch' }] }, 'items.0.step required'],
    [
      'a step that is no text',
      { items: [{ step: { toString: '', valueOf: '' }, reasonCode: 'data_mismatch', field: 'x' }] },
      'items.0.step invalid',
    ],
    [
      'a field of an unknown step',
      { items: [{ step: 'business', reasonCode: 'data_mismatch', field: 'legalName' }] },
      'items.0.step not_a_step',
    ],
    [
      'a note of null with the reason other',
      { items: [{ step: 'person', reasonCode: 'other', note: null }] },
      'items.0.note required',
    ],
  ])('%s: names only what is wrong', (_, input, issue) => {
    expect(issuesOf(input)).toEqual([issue]);
  });

  it('too many items: those over the limit are not looked at', () => {
    const items = ['person', 'business'].flatMap((step) =>
      Array.from({ length: 50 }, () => ({ step, reasonCode: 'data_mismatch' })),
    );
    expect(issuesOf({ items })).toEqual(['items too_many']);
  });
});

it('parseRejection: names a missing message beside an unknown reason', () => {
  expect(() => parseRejection({ reasonCodes: ['other', 'unknown'] })).toThrow(
    expect.objectContaining({
      data: {
        issues: [
          expect.objectContaining({ path: 'reasonCodes.1' }),
          expect.objectContaining({ path: 'message', code: 'note_needed' }),
        ],
      },
    }),
  );
});

describe('parseRejection', () => {
  it('requires a message with the reason other, and takes one', () => {
    const rejection = { reasonCodes: ['other'], message: 'The picture shows a screen' };
    expect(parseRejection(rejection)).toEqual(rejection);
    expect(() => parseRejection({ reasonCodes: ['other'] })).toThrow(
      expect.objectContaining({ data: { issues: [expect.objectContaining({ path: 'message' })] } }),
    );
  });
});
