import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FILES_NEEDED, GOOD_ANSWERS } from '../../test-support/answers.ts';
import {
  actionNeeded,
  answered,
  CONTEXT,
  file,
  inState,
  LINK_CONTEXT,
  NOW,
  pending,
  submitted,
} from '../../test-support/verifications.ts';
import { isCountersignError } from '../errors.ts';
import type { EvidenceFile, Thumbnail } from '../evidence/evidence-file.ts';
import type { JsonObject } from '../input/json.ts';
import { BUILT_IN_FLOWS, currentFlow, type StepKey, SUBJECT_TYPES, stepsOf } from './flow.ts';
import { fromRecord } from './from-record.ts';
import { renewLink, withdraw } from './manage-verification.ts';
import { currentStepOf, isStepCompleted } from './progress.ts';
import { approve, askForAction, claim, note, reject, release } from './reviewer-moves.ts';
import { saveDraft } from './save-draft.ts';
import { STATUSES } from './status.ts';
import { attachFile, completeStep, submit } from './subject-moves.ts';
import type { QuietTransition, Transition } from './transition.ts';
import { type CompletedSteps, resolvedAtOf, type Verification } from './verification.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';

/** What a database makes of a record: its JSON documents go through text. */
const stored = (record: VerificationRecord): VerificationRecord => ({
  ...record,
  metadata: JSON.parse(JSON.stringify(record.metadata)) as VerificationRecord['metadata'],
  answers: JSON.parse(JSON.stringify(record.answers)) as VerificationRecord['answers'],
  reviewData: JSON.parse(JSON.stringify(record.reviewData)) as VerificationRecord['reviewData'],
});

const claimed = claim(submitted(), { reviewerId: 'staff-1', now: NOW })?.next as Verification;
const drafted = saveDraft(
  actionNeeded(['person']),
  { step: 'person', fields: ['firstName'], input: { firstName: 'a draft of a name' } },
  CONTEXT,
).next;

const held: Verification = {
  ...inState('approved'),
  relationshipEndedAt: NOW,
  heldAt: NOW,
  heldBy: 'owner-1',
  heldUntil: new Date('2027-03-01T10:00:00.000Z'),
  erasureRequestedAt: NOW,
  retentionCheckAt: NOW,
  hold: { reason: 'A court asked for it', setBy: 'team_member' },
  openings: [{ reason: 'The subject asked for a copy', userId: 'owner-1', at: NOW.toISOString() }],
};

/** The record of a verification after the erasure: emptied, with its place in every list and count. */
function erased(verification: Verification): VerificationRecord {
  const subjectReference = `erased:${verification.id}`;
  const facts = { erasedAt: NOW, erasureNumber: 7, idempotencyKey: null, idempotencyFingerprint: null };
  return { ...toRecord(verification), subjectReference, metadata: {}, answers: {}, reviewData: {}, ...facts };
}

/** A submitted record with other completed steps. */
function submittedWith(steps: CompletedSteps): VerificationRecord {
  const verification = submitted();
  return toRecord({ ...verification, steps: { ...verification.steps, ...steps } });
}

const withPerson = (answers: JsonObject, completedAt = NOW.toISOString()): VerificationRecord =>
  submittedWith({ person: { answers, completedAt, version: 2 } });

const withReplacedPerson = (answers: JsonObject): VerificationRecord =>
  toRecord({
    ...submitted(),
    earlierAnswers: [
      { step: 'person', answers, completedAt: NOW.toISOString(), version: 2, replacedAt: NOW.toISOString() },
    ],
  });

const withStoredFile = (changes: Partial<EvidenceFile>): VerificationRecord =>
  toRecord({ ...submitted(), files: [{ ...file('selfie', 'selfie'), ...changes }] });

/** A submitted record whose document says that it has another format. */
function withFormat(column: 'answers' | 'reviewData', formatVersion: number): VerificationRecord {
  const record = toRecord(submitted());
  return { ...record, [column]: { ...record[column], formatVersion } };
}

describe('a record', () => {
  it('keeps the thumbnail of a file', () => {
    const thumbnail = { size: 4_000, sha256: 'a'.repeat(64) };
    expect(fromRecord(withStoredFile({ thumbnail }), BUILT_IN_FLOWS).files).toMatchObject([{ thumbnail }]);
  });

  it('keeps answers over a bound that was tightened later, and unknown ones', () => {
    const old = { firstName: 'x'.repeat(5_000), formerField: [1] };
    expect(fromRecord(withPerson(old), BUILT_IN_FLOWS).steps.person?.answers).toEqual(old);
  });

  it.each(['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.123456Z', '2026-03-01T11:00:00+01:00'])(
    'keeps a time written as %s',
    (time) => {
      expect(fromRecord(withPerson({}, time), BUILT_IN_FLOWS).steps.person?.completedAt).toBe(time);
    },
  );

  it('withdrawn before every step was completed restores it', () => {
    const verification = withdraw(answered(answered(pending(), 'consent'), 'document'), NOW).next;
    expect(fromRecord(stored(toRecord(verification)), BUILT_IN_FLOWS)).toEqual(verification);
  });

  it.each(STATUSES.flatMap((status) => SUBJECT_TYPES.map((type) => [status, type] as const)))(
    'a record of a verification in %s (%s) restores it',
    (status, type) => {
      const verification = inState(status, type);
      expect(fromRecord(stored(toRecord(verification)), BUILT_IN_FLOWS)).toEqual(verification);
    },
  );

  it.each([
    ['a claim', claimed],
    ['a draft', drafted],
    ['an outcome that a sandbox drives it to', { ...pending(), sandboxOutcome: 'rejected' } as const],
    ['a hold, a request for erasure and openings of its data', held],
  ])('a record of a verification with %s restores it', (_what, verification) => {
    expect(fromRecord(stored(toRecord(verification)), BUILT_IN_FLOWS)).toEqual(verification);
  });

  it('a record has claimedBy while claimed, and submittedAt in every later status', () => {
    expect(toRecord(claimed)).toMatchObject({
      claimedBy: 'staff-1',
      claimedAt: NOW,
      submittedAt: NOW,
      dataKey: null,
    });
    const decided = toRecord(approve(claimed, NOW).next);
    expect(decided).toMatchObject({ claimedBy: null, claimedAt: null, submittedAt: NOW });
  });

  it('a record says that the subject answered again while it is submitted, and never else', () => {
    const at = NOW.toISOString();
    const again = { step: 'person', answers: {}, completedAt: at, version: 2, replacedAt: at } as const;
    const isResubmitted = (verification: Verification) => toRecord(verification).isResubmitted;
    expect(isResubmitted(submitted())).toBe(false);
    expect(isResubmitted({ ...submitted(), earlierAnswers: [again] })).toBe(true);
    for (const status of STATUSES.filter((each) => each !== 'submitted'))
      expect(isResubmitted({ ...inState(status), earlierAnswers: [again] }), status).toBe(false);
  });

  it('a record of files stored without warnings restores them with an empty list', () => {
    const { warnings: _, ...old } = file('selfie', 'selfie');
    const record = { ...toRecord(submitted()), reviewData: { files: [old] } };
    expect(fromRecord(record, BUILT_IN_FLOWS).files).toEqual([{ ...old, warnings: [] }]);
  });

  it('holds personal data in `answers` alone', () => {
    const { answers, ...rest } = toRecord(drafted);
    for (const personal of ['小町', 'a draft of a name']) {
      expect(JSON.stringify(answers)).toContain(personal);
      expect(JSON.stringify(rest)).not.toContain(personal);
    }
  });

  it('keeps an Idempotency-Key with its fingerprint', () => {
    const verification = { ...pending(), idempotency: { key: 'k', fingerprint: 'f' } };
    expect(fromRecord(toRecord(verification), BUILT_IN_FLOWS).idempotency).toEqual({ key: 'k', fingerprint: 'f' });
  });

  it.each([
    ['submitted without its moment', { ...toRecord(submitted()), submittedAt: null }],
    ['claimed without its moment', { ...toRecord(submitted()), claimedBy: 'staff-1' }],
    ['approved without resolvedAt', { ...toRecord(inState('approved')), resolvedAt: null }],
    ['approved with the decision to reject', { ...toRecord(inState('rejected')), status: 'approved' as const }],
    ['action_needed without a request', { ...toRecord(actionNeeded()), reviewData: {} }],
    ['with an answer of another kind', withPerson({ firstName: 1 })],
    ['with a replaced answer of another kind', withReplacedPerson({ firstName: 1 })],
    ['submitted with emptied answers', { ...toRecord(submitted()), answers: {} }],
    ['action_needed with emptied answers', { ...toRecord(actionNeeded(['consent'])), answers: {} }],
    ['approved with emptied answers', { ...toRecord(inState('approved')), answers: {} }],
    ['rejected with emptied answers', { ...toRecord(inState('rejected', 'kyb')), answers: {} }],
    [
      'withdrawn after a submission with emptied answers',
      { ...toRecord(withdraw(actionNeeded(), NOW).next), answers: {} },
    ],
    [
      'pending with emptied answers to completed steps',
      { ...toRecord(answered(pending(), 'consent')), answers: {} },
    ],
    ['with a step completed at no time', withPerson({}, 'nonsense')],
    ['with a file uploaded at no time', withStoredFile({ uploadedAt: 'yesterday' })],
    ['with a thumbnail of no size', withStoredFile({ thumbnail: { sha256: 'a' } as Thumbnail })],
    [
      'with a consent accepted at no time',
      submittedWith({
        consent: { answers: { acceptedAt: 'nonsense' }, completedAt: NOW.toISOString(), version: 2 },
      }),
    ],
    ['of answers in format 0', withFormat('answers', 0)],
    ['of answers in format −1.5', withFormat('answers', -1.5)],
    ['of answers in a later format', withFormat('answers', 2)],
    ['of review data in format 0', withFormat('reviewData', 0)],
    ['of a flow version that does not exist', { ...toRecord(submitted()), flowVersion: 99 }],
    ['of an unknown status', { ...toRecord(pending()), status: 'done' as never }],
  ])('a record that is %s is a fault', (_what, record) => {
    expect(() => fromRecord(record, BUILT_IN_FLOWS)).toThrow('is corrupt');
  });
});

describe('the record of an erased verification', () => {
  const withdrawn = withdraw(answered(answered(pending(), 'consent'), 'document'), NOW).next;

  it.each([
    ['approved', inState('approved')],
    ['rejected', inState('rejected', 'kyb')],
    ['withdrawn after two steps', withdrawn],
  ])('%s keeps status, times and step, and has no answers and no reasons', (_what, verification) => {
    const record = erased(verification);
    const read = fromRecord(record, BUILT_IN_FLOWS);

    expect(currentStepOf(read)).toBe(currentStepOf(verification));
    const completedBefore = stepsOf(verification.flow).filter((step) => isStepCompleted(verification, step));
    expect(stepsOf(read.flow).filter((step) => isStepCompleted(read, step))).toEqual(completedBefore);
    expect(read).toMatchObject({ status: verification.status, resolvedAt: NOW, steps: {}, files: [] });
    expect(read).toMatchObject({ decision: { reasonCodes: [], message: null, decidedAt: NOW.toISOString() } });
    expect(toRecord(read)).toEqual(record);
  });

  it('the record of an erased verification without the number of its erasure is a fault: its answers are missing', () => {
    const record = { ...erased(inState('approved')), erasureNumber: null };
    expect(() => fromRecord(record, BUILT_IN_FLOWS)).toThrow('is corrupt');
  });

  it('the record of an erased verification with a reason of a hold that is no text is a fault', () => {
    const record = toRecord(held);
    const broken = { ...record, reviewData: { ...record.reviewData, hold: { ...held.hold, reason: 1 } } };
    expect(() => fromRecord(broken, BUILT_IN_FLOWS)).toThrow('reviewData.hold.reason cannot be read');
  });
});

describe('any walk of moves', () => {
  const steps = [...new Set([...stepsOf(currentFlow('kyc')), ...stepsOf(currentFlow('kyb'))])];
  const upload = (current: Verification, step: StepKey): Transition => {
    const kind = FILES_NEEDED[step]?.[0] ?? 'selfie';
    return attachFile(current, file(step, kind, `${step}-${current.files.length}`));
  };
  const MOVES: readonly ((current: Verification, step: StepKey) => Transition | QuietTransition | null)[] = [
    (current, step) => completeStep(current, { step, input: GOOD_ANSWERS[current.type][step] }, CONTEXT),
    (current) => {
      const step = stepsOf(current.flow)[currentStepOf(current)] as StepKey;
      const uploads = (FILES_NEEDED[step] ?? []).map((kind) => file(step, kind));
      const ready = { ...current, files: [...current.files, ...uploads] };
      return completeStep(ready, { step, input: GOOD_ANSWERS[current.type][step] }, CONTEXT);
    },
    upload,
    (current) => submit(current, NOW),
    (current, step) => askForAction(current, { items: [{ step, reasonCode: 'data_mismatch' }] }, LINK_CONTEXT),
    (current) => renewLink(current, LINK_CONTEXT),
    (current) => approve(current, NOW),
    (current) => reject(current, { reasonCodes: ['data_mismatch'] }, NOW),
    (current) => withdraw(current, NOW),
    (current) => claim(current, { reviewerId: 'staff-1', now: NOW }),
    (current) => release(current),
    (current) => note(current, 'looks good', { reviewerId: 'staff-2', now: NOW }),
    (current, step) => saveDraft(current, { step, fields: ['accepted'], input: { accepted: true } }, CONTEXT),
  ];
  // Mostly forward, so that the walks reach the later states.
  const index = fc.oneof(
    { weight: 8, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.nat(MOVES.length - 1) },
  );
  const walk = fc.array(fc.record({ index, step: fc.constantFrom(...steps) }), { maxLength: 40 });

  it('keeps the invariants of a verification', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SUBJECT_TYPES), walk, (type, moves) => {
        let current: Verification = pending(type);
        for (const { index, step } of moves) {
          const before = current;
          try {
            current = (MOVES[index] as (typeof MOVES)[number])(current, step)?.next ?? current;
          } catch (error) {
            if (isCountersignError(error)) continue;
            throw error;
          }
          if (current === before) continue;
          expect(current.version).toBe(before.version + 1);
          expect(currentStepOf(current)).toBeLessThanOrEqual(stepsOf(currentFlow(type)).length);
          expect(resolvedAtOf(current) !== null).toBe(
            current.status === 'approved' || current.status === 'rejected',
          );
          const complete = stepsOf(currentFlow(type)).every((key) => isStepCompleted(current, key));
          expect(complete || current.status !== 'submitted').toBe(true);
          expect(fromRecord(stored(toRecord(current)), BUILT_IN_FLOWS)).toEqual(current);
        }
      }),
      { numRuns: 200 },
    );
  });
});
