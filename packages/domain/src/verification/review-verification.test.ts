import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { someFlowRules } from '../../test-support/flow-rules.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW, submitted } from '../../test-support/verifications.ts';
import type { Change } from './change-verification.ts';
import { createReviewVerification, type ReviewContext } from './review-verification.ts';
import type { Verification } from './verification.ts';
import { toRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';
import type { ReviewWarning } from './warnings/review-warning.ts';

const earlier = { text: 'Called them', reviewerId: 'rita', writtenAt: NOW.toISOString() };
const before: Verification = { ...submitted(), internalNotes: [earlier] };
let current = before;

beforeEach(() => {
  current = before;
});

const warnings: ReviewWarning[] = [];

/** A reviewer's decisions about `current`, each decided immediately. */
const review = createReviewVerification({
  verifications: portWith<VerificationRepository>({
    findForAnyClient: async () => toRecord(current),
  }),
  change: async ({ find, refuse, decide }: Change) => {
    await find();
    await refuse?.(current);
    const decided = decide(current, NOW);
    return decided !== null && 'next' in decided ? decided.next : current;
  },
  readFlowRules: async () => someFlowRules({ linkDays: 7 }),
  readWarnings: async () => warnings,
});

const decisions: [name: string, decide: (context: ReviewContext) => Promise<Verification>][] = [
  ['approve', (context) => review.approve(context)],
  ['reject', (context) => review.reject(context, { reasonCodes: ['data_mismatch'] })],
  [
    'askForAction',
    (context) => review.askForAction(context, { items: [{ step: 'selfie', reasonCode: 'selfie_unclear' }] }),
  ],
];

const context = { verificationId: 'verification-1', expectedVersion: before.version, reviewerId: 'staff-1' };

test.each(decisions)('%s: adds the internal note after earlier ones, or none', async (_name, decide) => {
  const noted = await decide({ ...context, internalNote: ' All fine ' });
  const entry = { text: 'All fine', reviewerId: 'staff-1', writtenAt: NOW.toISOString() };
  expect(noted.internalNotes).toEqual([earlier, entry]);
  expect((await decide(context)).internalNotes).toEqual([earlier]);
});

test.each(decisions)('%s: refuses an internal note that is too long', async (_name, decide) => {
  await expect(decide({ ...context, internalNote: 'x'.repeat(2001) })).rejects.toMatchObject({
    code: 'INVALID_PARAMETERS',
  });
});

describe('handOver', () => {
  const entry = { text: 'Yours', reviewerId: 'staff-1', writtenAt: NOW.toISOString() };

  test('handOver gives the claim to a colleague, with an internal note or without', async () => {
    const noted = await review.handOver({ ...context, internalNote: ' Yours ' }, 'rita');
    expect(noted).toMatchObject({ claim: { reviewerId: 'rita' }, internalNotes: [earlier, entry] });
    const silent = await review.handOver(context, 'rita');
    expect(silent).toMatchObject({ claim: { reviewerId: 'rita' }, internalNotes: [earlier] });
  });

  test('handOver to the reviewer who has the claim already adds the note alone, and changes nothing without one', async () => {
    current = await review.handOver(context, 'rita');
    const { version } = current;
    const noted = await review.handOver({ ...context, internalNote: 'Yours' }, 'rita');
    expect(noted).toMatchObject({ version: version + 1, internalNotes: [earlier, entry] });
    expect(await review.handOver(context, 'rita')).toBe(current);
  });

  test('handOver rejects with INVALID_PARAMETERS for an internal note that is too long', async () => {
    const handedOver = review.handOver({ ...context, internalNote: 'x'.repeat(2001) }, 'rita');
    await expect(handedOver).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});

describe('the approval of a verification with warnings', () => {
  beforeEach(() => {
    warnings.push(
      { code: 'document_expired', step: 'document', path: 'expiresOn' },
      { code: 'name_mismatch', step: 'person', path: '', detail: 'Eva' },
    );
  });
  afterEach(() => void warnings.splice(0));

  const keys = ['name_mismatch:person', 'document_expired:document.expiresOn'];

  test('an approval is refused until each warning is checked', async () => {
    const missing = (...expected: string[]) => ({
      code: 'INVALID_PARAMETERS',
      data: {
        issues: expected.map((key) => ({
          path: 'checkedWarnings',
          code: 'required',
          message: `must name ${key}`,
        })),
      },
    });
    await expect(review.approve(context, [])).rejects.toMatchObject(missing(...keys.toReversed()));
    await expect(review.approve(context, keys.slice(0, 1))).rejects.toMatchObject(missing(keys[1] ?? ''));
    expect(await review.approve(context, [...keys, 'another'])).toMatchObject({ status: 'approved' });
  });

  test('an approval at another version says nothing of the warnings, so that the conflict is reported', async () => {
    expect(await review.approve({ ...context, expectedVersion: before.version + 1 }, [])).toMatchObject({
      status: 'approved',
    });
  });

  test('an approval of a verification that is decided already says so, and nothing of the warnings', async () => {
    current = { ...(await review.approve(context)), version: before.version };
    await expect(review.approve(context, [])).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  });

  test('an approval needs no check of a warning that only informs', async () => {
    warnings.splice(0, 2, { code: 'mrz_not_found', step: 'document', path: '' });
    expect(await review.approve(context, [])).toMatchObject({ status: 'approved' });
  });

  test('a console that names no checks is asked for none', async () => {
    for (const [, decide] of decisions) await expect(decide(context)).resolves.toBeDefined();
  });
});
