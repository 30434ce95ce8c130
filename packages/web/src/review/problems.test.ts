import { currentFlow } from '@countersign/domain/flows';
import { expect, it, test } from 'vitest';
import { createFormValues } from '../forms/form-values.ts';
import { translator } from '../site/messages.ts';
import { isValid, problemsOf } from './problems.ts';
import { type DecisionAction, type ReviewAction, readTyped } from './typed.ts';

const flow = currentFlow('kyc');
const t = translator('en');

type Fields = readonly (readonly [string, string])[];

const problems = (
  action: ReviewAction,
  fields: Fields,
  issues: readonly (readonly [string, ('note_needed' | undefined)?])[],
) =>
  problemsOf(
    issues.map(([path, code]) => ({ path, message: 'is wrong', ...(code !== undefined && { code }) })),
    { action, typed: readTyped(createFormValues(fields), action), flow },
    t,
  );

/** A step that is chosen, one with a reason that is not, and one that the flow lacks. */
const STEPS: Fields = [
  ['ask.steps', 'selfie'],
  ['ask.steps', 'ownership'],
  ['ask.person.reasonCode', 'data_mismatch'],
];

it('the problems of a request stand in the order of the form, whatever the order of the issues', () => {
  const issues = ['internalNote', 'message', 'items.0.reasonCode', 'items.1.note', 'items.1.reasonCode', 'items'];
  const chosen: Fields = [
    ['ask.steps', 'selfie'],
    ['ask.steps', 'document'],
  ];
  expect([
    ...problems(
      'ask',
      chosen,
      issues.map((path) => [path]),
    ).keys(),
  ]).toEqual([
    'ask.steps',
    'ask.document.reasonCode',
    'ask.document.note',
    'ask.selfie.reasonCode',
    'ask.message',
    'ask.internalNote',
  ]);
  const ofApproval = problems('approve', [], [['internalNote'], ['reasonCodes'], ['checkedWarnings']]);
  expect([...ofApproval.keys()]).toEqual([
    'approve.checkedWarnings',
    'reject.reasonCodes',
    'approve.internalNote',
  ]);
});

const selfie = { step: t('wording:step.selfie') };
const person = { step: t('wording:step.person') };

test.each<[ReviewAction, Fields, path: string, code: 'note_needed' | undefined, field: string, message: string]>([
  ['note', [], 'text', undefined, 'note.internalNote', t('review:problem.internalNoteNeeded')],
  ['approve', [], 'internalNote', undefined, 'approve.internalNote', t('review:problem.internalNoteNeeded')],
  [
    'note',
    [['note.internalNote', 'x']],
    'text',
    undefined,
    'note.internalNote',
    t('review:problem.internalNoteBad'),
  ],
  ['reject', [], 'message', 'note_needed', 'reject.message', t('review:problem.messageNeeded')],
  ['reject', [], 'message', undefined, 'reject.message', t('review:problem.messageBad')],
  ['reject', [], 'reasonCodes.0', undefined, 'reject.reasonCodes', t('review:problem.reasons')],
  ['approve', [], 'checkedWarnings.1', undefined, 'approve.checkedWarnings', t('review:problem.warnings')],
  ['ask', STEPS, 'items', undefined, 'ask.steps', t('review:problem.steps')],
  ['ask', STEPS, 'items.1.note', undefined, 'ask.steps', t('review:problem.steps')],
  ['ask', STEPS, 'items.0.field', undefined, 'ask.selfie.fields', t('review:problem.stepFields', selfie)],
  ['ask', STEPS, 'items.0.reasonCode', undefined, 'ask.selfie.reasonCode', t('review:problem.stepReason', selfie)],
  ['ask', STEPS, 'items.0.note', 'note_needed', 'ask.selfie.note', t('review:problem.stepNoteNeeded', selfie)],
  ['ask', STEPS, 'items.0.note', undefined, 'ask.selfie.note', t('review:problem.stepNoteBad', selfie)],
  ['ask', STEPS, 'items.2.field', undefined, 'ask.person.reasonCode', t('review:problem.stepNotChosen', person)],
])('problemsOf: %s with %j, an issue at %s (%s) is shown at %s', (action, fields, path, code, field, message) => {
  expect([...problems(action, fields, [[path, code]])]).toEqual([[field, message]]);
});

test.each<[DecisionAction, Fields, boolean]>([
  ['approve', [], true],
  ['approve', [['approve.internalNote', '\u0000']], false],
  ['reject', [], false],
  ['reject', [['reject.reasonCodes', 'data_mismatch']], true],
  ['ask', [], false],
  ['ask', STEPS, false],
  ['ask', [...STEPS.slice(0, 1), ['ask.selfie.reasonCode', 'selfie_unclear']], true],
])('isValid: %s with %j is %s', (action, fields, expected) => {
  expect(isValid(action, readTyped(createFormValues(fields), action), flow)).toBe(expected);
});
