import { parseActionNeeded } from '@countersign/domain';
import { currentFlow } from '@countersign/domain/flows';
import { describe, expect, it, test } from 'vitest';
import { createFormValues } from '../forms/form-values.ts';
import { hasText, inputOf, isDecision, itemsOf, readTyped, requestOf } from './typed.ts';

const SELFIE = [
  ['ask.steps', 'selfie'],
  ['ask.selfie.reasonCode', 'selfie_unclear'],
] as const;

function request(...fields: readonly (readonly [string, string])[]): object {
  return requestOf(readTyped(createFormValues(fields), 'ask'));
}

const parse = (input: object) => parseActionNeeded(currentFlow('kyc'), input);
const refusedAt = (path: string) =>
  expect.objectContaining({ data: { issues: [expect.objectContaining({ path })] } });

describe('the input of a request for action', () => {
  it('holds the chosen steps and leaves out the untouched ones', () => {
    expect(parse(request(...SELFIE, ['ask.person.reasonCode', ''], ['ask.person.note', ' ']))).toEqual({
      message: null,
      items: [{ step: 'selfie', reasonCode: 'selfie_unclear', note: null }],
    });
  });

  it('a request for action is refused with a chosen step that has no reason', () => {
    expect(() => parse(request(...SELFIE, ['ask.steps', 'person']))).toThrow(refusedAt('items.1.reasonCode'));
  });

  it('a request for action is refused with a reason or a note for a step that is not chosen', () => {
    for (const field of [
      ['ask.person.reasonCode', 'data_mismatch'],
      ['ask.person.note', 'Which?'],
    ] as const) {
      expect(() => parse(request(...SELFIE, field))).toThrow(
        expect.objectContaining({ code: 'INVALID_PARAMETERS' }),
      );
    }
    expect(() => parse(request(...SELFIE, ['ask.person.reasonCode', 'data_mismatch']))).toThrow(
      refusedAt('items.1.step'),
    );
  });

  it('holds each chosen field of a step, with the reason and note of the step', () => {
    const asked = request(
      ['ask.document.fields', 'frontFileId'],
      ['ask.document.fields', 'number'],
      ['ask.document.reasonCode', 'document_glare'],
      ['ask.document.note', 'Flash'],
    );
    const item = { step: 'document', reasonCode: 'document_glare', note: 'Flash' };
    expect(parse(asked)).toEqual({
      message: null,
      items: [
        { ...item, field: 'frontFileId' },
        { ...item, field: 'number' },
      ],
    });
  });

  it('keeps a field that the step lacks, so that the domain refuses it', () => {
    const unknown = ['ask.document.fields', 'canary'] as const;
    const reason = ['ask.document.reasonCode', 'document_glare'] as const;
    expect(() => parse(request(unknown, reason))).toThrow(refusedAt('items.0.field'));
  });

  it('keeps a step that the flow lacks, so that the domain refuses it', () => {
    const ownership = [
      ['ask.steps', 'ownership'],
      ['ask.ownership.reasonCode', 'ownership_incomplete'],
    ] as const;
    expect(() => parse(request(...SELFIE, ...ownership))).toThrow(refusedAt('items.1.step'));
  });
});

const typed = (...fields: readonly (readonly [string, string])[]) => readTyped(createFormValues(fields), 'ask');

test('readTyped: unknown reasons are left out, and a reason or a note alone keeps its step', () => {
  const fields = [
    ['reject.reasonCodes', 'data_mismatch'],
    ['reject.reasonCodes', 'canary'],
    ['approve.checkedWarnings', 'expired'],
    ['ask.message', 'Hello'],
    ['ask.person.note', 'Which?'],
    ['ask.selfie.reasonCode', 'canary'],
    ['ask.document.reasonCode', 'document_glare'],
    ['task.address.note', 'x'],
    ['ask.address.note.more', 'x'],
  ] as const;
  expect(typed(...fields)).toEqual({
    reasonCodes: ['data_mismatch'],
    message: 'Hello',
    internalNote: '',
    checkedWarnings: ['expired'],
    items: [
      { step: 'person', chosen: false, reasonCode: null, note: 'Which?' },
      { step: 'document', chosen: false, reasonCode: 'document_glare', note: '' },
    ],
  });
});

test('itemsOf: chosen steps with a reason, in the order of the flow, with their fields', () => {
  const asked = typed(
    ...SELFIE,
    ['ask.selfie.note', 'Light'],
    ['ask.document.fields', 'number'],
    ['ask.document.reasonCode', 'document_glare'],
    ['ask.person.reasonCode', 'data_mismatch'],
    ['ask.steps', 'address'],
  );
  expect(itemsOf(asked, currentFlow('kyc'))).toEqual([
    { step: 'document', reasonCode: 'document_glare', note: null, field: 'number' },
    { step: 'selfie', reasonCode: 'selfie_unclear', note: 'Light' },
  ]);
});

test.each([
  ['claim', {}],
  ['release', {}],
  ['note', { text: 'Aside' }],
  ['approve', { internalNote: 'Aside', checkedWarnings: ['expired'] }],
  ['reject', { internalNote: 'Aside', reasonCodes: ['data_mismatch'], message: 'Hello' }],
  ['ask', { internalNote: 'Aside', items: [], message: 'Hello' }],
] as const)('inputOf: %s sends its own values alone', (action, input) => {
  const values = createFormValues([
    ['reject.reasonCodes', 'data_mismatch'],
    ['approve.checkedWarnings', 'expired'],
    [`${action}.message`, 'Hello'],
    [`${action}.internalNote`, 'Aside'],
  ]);
  expect(inputOf(action, readTyped(values, action))).toEqual(input);
  // Decisions have a note beside their own values.
  expect(isDecision(action)).toBe('internalNote' in input);
});

test.each([
  [[], false],
  [SELFIE, false],
  [[['ask.message', 'x']], true],
  [[['ask.internalNote', 'x']], true],
  [[...SELFIE, ['ask.selfie.note', 'x']], true],
] as const)('hasText: %j is %s', (fields, expected) => {
  expect(hasText(typed(...fields))).toBe(expected);
});
