import { expect, test } from 'vitest';
import { completed } from '../../test-support/verifications.ts';
import { filesEverNamed, namedFiles, submittedFiles } from './verification.ts';

const kept = completed();

test('files: answers to a step that the flow lacks name none', () => {
  const business = { answers: { fileId: 'other' }, completedAt: '', version: 1 };
  const named = namedFiles({ ...kept, steps: { ...kept.steps, business } });
  expect(named).toEqual(new Set(['document_front', 'document_back', 'selfie', 'proof_of_address']));
});

const replacedSelfie = {
  answers: { fileId: 'first' },
  completedAt: '',
  version: 1,
  replacedAt: '',
  step: 'selfie',
} as const;

test('files: replaced answers name theirs too', () => {
  const redone = { ...kept, earlierAnswers: [replacedSelfie] };
  expect(namedFiles(redone)).not.toContain('first');
  expect([...filesEverNamed(redone)]).toEqual([...namedFiles(redone), 'first']);
});

test('files: a client sees those of completed steps, and neither others nor replaced ones', () => {
  const { selfie: _, ...steps } = kept.steps;
  const [first] = kept.files;
  if (first === undefined) throw new Error('no file');
  const replaced = { ...first, id: 'first' };
  const ids = (verification: typeof kept) => submittedFiles(verification).map(({ id }) => id);
  expect(ids(kept)).toContain('selfie');
  expect(ids({ ...kept, earlierAnswers: [replacedSelfie], files: [...kept.files, replaced] })).toEqual(ids(kept));
  expect(ids({ ...kept, steps })).toEqual(ids(kept).filter((id) => id !== 'selfie'));
});
