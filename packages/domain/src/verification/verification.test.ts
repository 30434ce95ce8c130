import { expect, test } from 'vitest';
import { completed } from '../../test-support/verifications.ts';
import { filesEverNamed, namedFiles } from './verification.ts';

const kept = completed();

test('files: answers to a step that the flow lacks name none', () => {
  const business = { answers: { fileId: 'other' }, completedAt: '', version: 1 };
  const named = namedFiles({ ...kept, steps: { ...kept.steps, business } });
  expect(named).toEqual(new Set(['document_front', 'document_back', 'selfie', 'proof_of_address']));
});

test('files: replaced answers name theirs too', () => {
  const selfie = {
    answers: { fileId: 'first' },
    completedAt: '',
    version: 1,
    replacedAt: '',
    step: 'selfie',
  } as const;
  const redone = { ...kept, earlierAnswers: [selfie] };
  expect(namedFiles(redone)).not.toContain('first');
  expect([...filesEverNamed(redone)]).toEqual([...namedFiles(redone), 'first']);
});
