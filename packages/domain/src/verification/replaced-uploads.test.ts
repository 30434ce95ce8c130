import { describe, expect, it } from 'vitest';
import { actionNeeded, CONTEXT, file, LINK_CONTEXT, NOW } from '../../test-support/verifications.ts';
import { DEFAULT_RETENTION, DEFAULT_RETENTION_FLOOR } from '../retention/policy.ts';
import { dropReplacedUploads } from './drop-replaced-uploads.ts';
import { planReplacedUploads, replacedUploads, uploadsCheckOf } from './replaced-uploads.ts';
import { approve, askForAction, claim, release } from './reviewer-moves.ts';
import { attachFile, completeStep, submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const days = (count: number): Date => new Date(NOW.getTime() + count * DAY_MS);
const RULES = { policy: DEFAULT_RETENTION, floor: DEFAULT_RETENTION_FLOOR, timeZone: 'UTC' };

function redo(verification: Verification, fileId: string, now: Date): Verification {
  const asked =
    verification.status === 'submitted'
      ? askForAction(verification, { items: [{ step: 'document', reasonCode: 'document_glare' }] }, LINK_CONTEXT)
          .next
      : verification;
  const { next } = attachFile(asked, file('document', 'document_front', fileId));
  const input = { ...next.steps.document?.answers, frontFileId: fileId };
  const completed = completeStep(next, { step: 'document', input }, { ...CONTEXT, now })?.next ?? next;
  const submitted = submit(completed, now).next;
  // The reviewer who asked for the redo has the claim again.
  return release(submitted)?.next ?? submitted;
}

const FIRST = 'document_front';
const once = redo(actionNeeded(['document']), 'better', NOW);

describe('replacedUploads', () => {
  it('are those that only replaced answers name, since their replacement', () => {
    expect(replacedUploads(once)).toEqual(new Map([[FIRST, NOW]]));
    expect(replacedUploads(redo(once, 'best', days(3)))).toEqual(
      new Map([
        [FIRST, NOW],
        ['better', days(3)],
      ]),
    );
  });

  it('replacedUploads counts from the latest redo that replaced a file, also after the clock was set back', () => {
    const [first] = once.earlierAnswers;
    const replacedAt = (...times: readonly Date[]) => ({
      ...once,
      earlierAnswers: times.flatMap((at) =>
        first === undefined ? [] : { ...first, replacedAt: at.toISOString() },
      ),
    });
    expect(replacedUploads(replacedAt(NOW, days(3))).get(FIRST)).toEqual(days(3));
    expect(replacedUploads(replacedAt(days(3), NOW)).get(FIRST)).toEqual(days(3));
  });

  it('uploadsCheckOf is null while no upload is replaced', () => {
    expect(uploadsCheckOf(actionNeeded(['document']), NOW)).toBeNull();
  });

  it('are none before a redo, and once they are deleted', () => {
    expect(replacedUploads(actionNeeded(['document']))).toEqual(new Map());
    const { next } = dropReplacedUploads(once, { due: [FIRST], checkAt: null });
    expect(replacedUploads(next)).toEqual(new Map());
    expect(next.earlierAnswers).toEqual(once.earlierAnswers);
    expect(next.files).toEqual(once.files.filter(({ id }) => id !== FIRST));
  });

  it('stay with the decision, and the job looks at them', () => {
    expect(once.uploadsCheckAt).toEqual(NOW);
    const approved = approve(once, NOW).next;
    expect(approved.files.map(({ id }) => id)).toContain(FIRST);
    expect(approve({ ...once, uploadsCheckAt: null }, days(1)).next.uploadsCheckAt).toEqual(days(1));
  });
});

describe('planReplacedUploads', () => {
  /** The day of the replacement is not counted, and the period ends with its last day. */
  const end = new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth(), NOW.getUTCDate() + 31));

  it('deletes at the end of the period, and looks again once a day until then', () => {
    expect(planReplacedUploads(once, RULES, days(1))).toEqual({ due: [], checkAt: days(2) });
    const before = new Date(end.getTime() - 1);
    expect(planReplacedUploads(once, RULES, before)).toEqual({ due: [], checkAt: end });
    expect(planReplacedUploads(once, RULES, end)).toEqual({ due: [FIRST], checkAt: null });
  });

  it('keeps what was replaced later', () => {
    const twice = redo(once, 'best', days(20));
    expect(planReplacedUploads(twice, RULES, end)).toMatchObject({
      due: [FIRST],
      checkAt: new Date(end.getTime() + DAY_MS),
    });
  });

  it('looks again at the end of the earliest period', () => {
    const twice = redo(once, 'best', days(20));
    expect(planReplacedUploads(twice, RULES, new Date(end.getTime() - 1))).toEqual({ due: [], checkAt: end });
  });

  it('throws for a period that is no duration', () => {
    const rules = { ...RULES, policy: { ...DEFAULT_RETENTION, replacedUploads: 'a month' } };
    expect(() => planReplacedUploads(once, rules, NOW)).toThrow('no duration');
  });

  it('deletes at once by a policy of no time', () => {
    const rules = { ...RULES, policy: { ...DEFAULT_RETENTION, replacedUploads: 'P0D' } };
    expect(planReplacedUploads(once, rules, NOW).due).toEqual([FIRST]);
  });

  it('deletes nothing while a reviewer has claimed it, and looks again in a day', () => {
    const claimed = claim(once, { reviewerId: 'reviewer-1', now: NOW })?.next ?? once;
    const checkAt = new Date(end.getTime() + DAY_MS);
    expect(planReplacedUploads(claimed, RULES, end)).toEqual({ due: [], checkAt });
    const released = release(claimed)?.next ?? claimed;
    expect(planReplacedUploads(released, RULES, end).due).toEqual([FIRST]);
  });

  it('deletes nothing during a hold, and looks again', () => {
    const held = { ...once, heldAt: NOW };
    expect(planReplacedUploads(held, RULES, end)).toEqual({ due: [], checkAt: new Date(end.getTime() + DAY_MS) });
    expect(planReplacedUploads({ ...held, heldUntil: end }, RULES, end).due).toEqual([FIRST]);
  });
});
