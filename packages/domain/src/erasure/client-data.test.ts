import { beforeEach, describe, expect, it } from 'vitest';
import { erasing, retained } from '../../test-support/erasures.ts';
import { aPrincipal } from '../../test-support/principal.ts';
import { inState, NOW } from '../../test-support/verifications.ts';
import type { Permission } from '../access/api-key.ts';
import { createClientData } from './client-data.ts';
import type { RetainedVerification } from './retained-verification.ts';

const STATE = { state: 'restricted', until: null } as const;

/** What ran, and what the audit log was given. */
let ran: string[];
let audited: unknown[];

beforeEach(() => {
  [ran, audited] = [[], []];
});

/** The operations of a key on one verification. */
function given(verification: RetainedVerification = retained(), permissions: readonly Permission[] = ['*']) {
  const running = async (what: string) => {
    ran.push(what);
    return STATE;
  };
  const data = createClientData({
    retention: { find: async () => verification },
    recorder: {
      act: async ({ attempt, run }) => {
        audited.push(attempt);
        return run();
      },
      notDone: async (attempt) => void audited.push(attempt),
    },
    clock: { now: () => NOW },
    endRelationship: () => running('end of the relationship'),
    request: (_place, { withdraw }) => running(withdraw ? 'erasure after a withdrawal' : 'erasure'),
  });
  const principal = aPrincipal({ permissions });
  return {
    end: () => data.endRelationship(principal, 'verification-1', { endedAt: NOW.toISOString() }),
    erase: (withdraw = false) => data.eraseData(principal, 'verification-1', { withdraw }),
  };
}

describe('permissions', () => {
  it.each<['end' | 'erase', Permission]>([
    ['end', 'verifications:read'],
    ['erase', 'verifications:read'],
    ['erase', 'verifications:create'],
  ])('the operation %s is refused to a key with %s alone, and leaves no entry', async (operation, permission) => {
    const approved = retained({}, inState('approved'));
    const refused = given(approved, [permission])[operation]();
    await expect(refused).rejects.toMatchObject({ code: 'INSUFFICIENT_PERMISSIONS' });
    expect([ran, audited]).toEqual([[], []]);
  });

  it('the end of a relationship needs no more than verifications:create', async () => {
    expect(await given(retained({}, inState('approved')), ['verifications:create']).end()).toBe(STATE);
    expect([ran, audited]).toMatchObject([
      ['end of the relationship'],
      [{ actor: { kind: 'api_key', id: 'key-1' } }],
    ]);
  });
});

describe('eraseData', () => {
  it.each([
    ['requested before', retained({ erasureRequestedAt: NOW })],
    ['begun by the retention policy', erasing()],
  ])('an erasure that was %s is not audited again', async (_how, verification) => {
    expect(await given(verification).erase()).toBe(STATE);
    expect([ran, audited]).toEqual([['erasure'], []]);
  });

  it('an erasure that may withdraw erases a decided verification, which cannot be withdrawn', async () => {
    expect(await given().erase(true)).toBe(STATE);
    expect([ran, audited]).toMatchObject([
      ['erasure after a withdrawal'],
      [{ action: 'retention.erase', detail: { withdraw: true } }],
    ]);
  });
});
