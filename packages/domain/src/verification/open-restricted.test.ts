import { describe, expect, it } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { found, inState, NOW } from '../../test-support/verifications.ts';
import { createChangeVerification } from './change-verification.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { fromRecord } from './from-record.ts';
import { openRestrictedUseCase } from './open-restricted.ts';
import type { Verification } from './verification.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';
import { detailsOf } from './views.ts';

const links = { url: (id: string, version: number) => `${id} ${version}`, idIn: () => '', check: () => undefined };
const OWNER = { kind: 'team_member', id: 'owner-1' } as const;
const approved = inState('approved');
const PLACE = { clientId: approved.clientId, verificationId: approved.id };

/** A repository with one verification. `meanwhile` changes it after the reason is stored; null removes it. */
function given(
  verification: Verification,
  { meanwhile = {} }: { meanwhile?: Partial<VerificationRecord> | null } = {},
) {
  const stored: { record: VerificationRecord | null } = { record: toRecord(verification) };
  const isThere = (clientId: string, id: string) => clientId === PLACE.clientId && id === PLACE.verificationId;
  const verifications = portWith<VerificationRepository>({
    find: async (clientId: string, id: string) => (isThere(clientId, id) ? stored.record : null),
    async commit({ record, events }: Parameters<VerificationRepository['commit']>[0]) {
      expect(events).toEqual([]);
      stored.record = record;
      return { outcome: 'committed' } as const;
    },
  });
  const change = createChangeVerification(
    {
      verifications,
      flows: BUILT_IN_FLOWS,
      clock: { now: () => NOW },
      ids: { next: () => 'id' },
      evidence: { discard: async () => undefined },
      indexLabels: { label: async () => undefined },
      caseWarnings: { ahead: async () => undefined, after: () => undefined },
    },
    { sendsMail: false },
  );
  const findWithData = async () =>
    stored.record && meanwhile && found(fromRecord({ ...stored.record, ...meanwhile }, BUILT_IN_FLOWS));
  return { stored, open: openRestrictedUseCase({ verifications, findWithData, change, links }) };
}

describe('the opening of a verification whose erasure was requested', () => {
  const requested: Verification = { ...approved, erasureRequestedAt: NOW };

  it('shows all of it, once the reason is stored', async () => {
    const { stored, open } = given(requested);
    const details = await open(PLACE, { reason: 'The subject asked for a copy', actor: OWNER });
    expect(details).toEqual(detailsOf(found(approved), links));
    const { openings } = fromRecord(stored.record ?? expect.fail(), BUILT_IN_FLOWS);
    expect(openings).toEqual([
      { reason: 'The subject asked for a copy', userId: 'owner-1', at: NOW.toISOString() },
    ]);
  });

  it.each([
    ['without a reason', requested, PLACE, '', 'INVALID_PARAMETERS'],
    ['where nothing is hidden', approved, PLACE, 'A reason', 'ILLEGAL_TRANSITION'],
    ['once the erasure has begun', { ...requested, erasedAt: NOW }, PLACE, 'A reason', 'ILLEGAL_TRANSITION'],
    ['of another client', requested, { ...PLACE, clientId: 'client-2' }, 'A reason', 'VERIFICATION_NOT_FOUND'],
  ] as const)('%s is refused, and stores nothing', async (_what, verification, place, reason, code) => {
    const { stored, open } = given(verification);
    const before = stored.record;
    await expect(open(place, { reason, actor: OWNER })).rejects.toMatchObject({ code });
    expect(stored.record).toBe(before);
  });

  it('shows nothing if an erasure begins after the reason is stored', async () => {
    const { open } = given(requested, { meanwhile: { erasedAt: NOW } });
    const opened = open(PLACE, { reason: 'A reason', actor: OWNER });
    await expect(opened).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  });

  it('finds no verification that is gone after the reason is stored', async () => {
    const { open } = given(requested, { meanwhile: null });
    const opened = open(PLACE, { reason: 'A reason', actor: OWNER });
    await expect(opened).rejects.toMatchObject({ code: 'VERIFICATION_NOT_FOUND' });
  });
});
