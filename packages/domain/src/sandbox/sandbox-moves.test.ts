import { describe, expect, it } from 'vitest';
import { answered, file, NOW, pending, submitted } from '../../test-support/verifications.ts';
import { EVIDENCE_MAX_FILES } from '../evidence/evidence-file.ts';
import { ALL_ASKED } from '../fields/conditions.ts';
import { currentFlow, type StepKey, SUBJECT_TYPES, stepsOf } from '../verification/flow.ts';
import { SANDBOX_OUTCOMES } from '../verification/metadata.ts';
import { namedFiles, type PendingVerification, type SubmittedVerification } from '../verification/verification.ts';
import { movesToSubmission, moveToOutcome, sampleFilesFor } from './sandbox-moves.ts';

const CONTEXT = { now: NOW, minimumAge: 18, asks: ALL_ASKED };

const filesFor = (verification: PendingVerification) =>
  sampleFilesFor(verification, CONTEXT).map(({ step, kind }) => file(step, kind, `sample ${step} ${kind}`));

const handedIn = (verification: PendingVerification, context = CONTEXT) =>
  movesToSubmission(verification, filesFor(verification), context);

const driven = (verification: PendingVerification) => ({ ...verification, sandboxOutcome: 'approved' }) as const;

describe('movesToSubmission', () => {
  it.each(SUBJECT_TYPES)('answers a whole %s, step by step like a subject', (type) => {
    const transitions = handedIn(driven(pending(type)));
    const types = transitions.map(({ event }) => event.type);
    expect(types.filter((event) => event === 'verification.step_completed')).toHaveLength(
      stepsOf(currentFlow(type)).length,
    );
    expect(types.at(-1)).toBe('verification.submitted');
    expect(transitions.map(({ next }) => next.version)).toEqual(transitions.map((_, index) => index + 2));

    const last = transitions.at(-1)?.next as SubmittedVerification;
    expect(last).toMatchObject({ status: 'submitted', submittedAt: NOW, claim: null, sandboxOutcome: 'approved' });
    expect(Object.keys(last.steps)).toEqual(stepsOf(currentFlow(type)));
    expect(new Set(last.files.map(({ id }) => id))).toEqual(namedFiles(last));
    expect(last.files).toHaveLength(sampleFilesFor(pending(type), CONTEXT).length);
  });

  it.each([0, 18, 21, 65, 110])(
    'gives a date of birth that is old enough at a minimum age of %i',
    (minimumAge) => {
      for (const moment of ['2026-01-01T00:00:00.000Z', '2028-02-29T23:59:59.999Z']) {
        const now = new Date(moment);
        for (const type of SUBJECT_TYPES) {
          expect(handedIn(pending(type), { now, minimumAge, asks: ALL_ASKED }).at(-1)?.next.status).toBe(
            'submitted',
          );
        }
      }
    },
  );

  it('keeps answers that a person gave before', () => {
    const begun = ['consent', 'document', 'person'].reduce(
      (current, step) => answered(current, step as StepKey) as PendingVerification,
      pending(),
    );
    expect(sampleFilesFor(begun, CONTEXT).map(({ kind }) => kind)).toEqual(['selfie']);
    const last = handedIn(begun).at(-1)?.next;
    expect(last?.steps).toMatchObject(begun.steps);
    expect(last?.files.map(({ id }) => id)).toEqual([...begun.files.map(({ id }) => id), 'sample selfie selfie']);
  });

  it('makes room when a person uploaded as many files as allowed', () => {
    const files = Array.from({ length: EVIDENCE_MAX_FILES }, (_, n) => file('document', 'document_front', `${n}`));
    const last = handedIn({ ...pending(), files }).at(-1)?.next;
    expect(last?.files.map(({ id }) => id)).toEqual(['sample document document_front', 'sample selfie selfie']);
  });
});

describe('moveToOutcome', () => {
  const context = { now: NOW, linkLifetimeDays: 30 };

  it.each(SUBJECT_TYPES.flatMap((type) => SANDBOX_OUTCOMES.map((outcome) => [type, outcome] as const)))(
    'a %s: to %s, without a sandbox outcome',
    (type, outcome) => {
      const before = { ...submitted(type), sandboxOutcome: outcome } as SubmittedVerification;
      const { next } = moveToOutcome(before, outcome, context);
      expect(next).toMatchObject({ status: outcome, sandboxOutcome: null, version: before.version + 1 });
    },
  );

  it('action_needed: requests the documents again, with a reason and under the same link', () => {
    const before = submitted('kyb') as SubmittedVerification;
    const { next } = moveToOutcome(before, 'action_needed', context);
    expect(next).toMatchObject({
      awaiting: ['documents'],
      request: { items: [{ step: 'documents', reasonCode: 'document_unreadable' }] },
      link: { version: before.link.version },
    });
  });
});
