import { describe, expect, it } from 'vitest';
import { PLACE, retained } from '../../test-support/erasures.ts';
import { portWith } from '../../test-support/port-with.ts';
import { inState, NOW } from '../../test-support/verifications.ts';
import { createManageRetention } from './manage-retention.ts';
import { releaseHold } from './moves.ts';
import { DEFAULT_RETENTION_SETTINGS } from './retained-rules.ts';
import type { RetainedVerification } from './retained-verification.ts';

type Ports = Parameters<typeof createManageRetention>[0];

const OPERATOR = { kind: 'operator', id: 'user-1' } as const;

/** Manages a verification as it is found. */
function given(verification: RetainedVerification | null, ports: Partial<Ports>) {
  return createManageRetention(
    portWith<Ports>({
      retention: portWith<Ports['retention']>({ find: async () => verification }),
      clock: { now: () => NOW },
      rulesOf: async () => DEFAULT_RETENTION_SETTINGS,
      withPause: async (state) => state,
      ...ports,
    }),
    DEFAULT_RETENTION_SETTINGS,
  );
}

describe('holds', () => {
  it('a hold of a verification that was deleted meanwhile is refused like one of an unknown verification', async () => {
    const held = given(null, { change: async () => inState('rejected') }).hold(
      { ...PLACE, actor: OPERATOR },
      { reason: 'An order of a court' },
    );
    await expect(held).rejects.toMatchObject({ code: 'VERIFICATION_NOT_FOUND' });
  });

  it('a hold is released by an operator also where the documents of the verification are damaged', async () => {
    const moves: unknown[] = [];
    const released = await given(retained(), {
      change: () => Promise.reject(new Error('The documents are damaged')),
      changeRetained: async (...move) => {
        moves.push(move);
        return retained();
      },
    }).releaseHold({ ...PLACE, actor: OPERATOR });
    expect(released.state).toBe('kept');
    expect(moves).toEqual([[PLACE, OPERATOR, releaseHold]]);
  });
});

it('a policy that the storage refuses for an unknown client is CLIENT_NOT_FOUND', async () => {
  const retention = portWith<Ports['retention']>({ setPolicy: async () => ({ outcome: 'client_not_found' }) });
  const management = given(null, { retention, clients: { find: async () => null } });
  await expect(management.setPolicy('client-2', null)).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
});
