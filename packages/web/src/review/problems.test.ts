import { currentFlow } from '@countersign/domain/flows';
import { expect, it } from 'vitest';
import { createFormValues } from '../forms/form-values.ts';
import { translator } from '../site/messages.ts';
import { problemsOf } from './problems.ts';
import { readTyped } from './typed.ts';

it('the problems of a request stand in the order of the form, whatever the order of the issues', () => {
  const typed = readTyped(
    createFormValues([
      ['ask.steps', 'selfie'],
      ['ask.steps', 'document'],
    ]),
    'ask',
  );
  const flow = currentFlow('kyc');
  const issues = ['internalNote', 'message', 'items.0.reasonCode', 'items.1.note', 'items.1.reasonCode', 'items'];

  const problems = problemsOf(
    issues.map((path) => ({ path, message: 'is wrong' })),
    { action: 'ask', typed, flow },
    translator('en'),
  );

  expect([...problems.keys()]).toEqual([
    'ask.steps',
    'ask.document.reasonCode',
    'ask.document.note',
    'ask.selfie.reasonCode',
    'ask.message',
    'ask.internalNote',
  ]);
});
