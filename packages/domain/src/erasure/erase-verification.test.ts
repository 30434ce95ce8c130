import { beforeEach, describe, expect, it } from 'vitest';
import { erasing, PLACE, retained } from '../../test-support/erasures.ts';
import { portWith } from '../../test-support/port-with.ts';
import { NOW, pending } from '../../test-support/verifications.ts';
import { createEraseVerification } from './erase-verification.ts';
import type { ErasureCause, RemoveData } from './remove-data.ts';
import { DEFAULT_RETENTION_SETTINGS } from './retained-rules.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';

const MINUTE_MS = 60 * 1000;
const after = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);
const FAULT = new Error('The disk is full');
const SYSTEM = { kind: 'system', id: null } as const;
const OWNER = { kind: 'team_member', id: 'owner-1' } as const;
const ERASED = { state: 'erased', until: null };

/** Nothing obliges the operator to keep it: an erasure on request begins immediately. */
const withdrawn = (facts: Partial<RetainedVerification> = {}): RetainedVerification =>
  retained({ decidedBy: 'verification.withdrawn', ...facts });

/** Another instance removes its data. */
const claimed = (facts: Partial<RetainedVerification> = {}): RetainedVerification =>
  erasing({ retentionCheckAt: after(1), ...facts });

let stored: Map<string, RetainedVerification>;
let removed: ErasureCause[];
let faults: unknown[];

beforeEach(() => {
  [stored, removed, faults] = [new Map(), [], []];
});

function put(verification: RetainedVerification): RetainedVerification {
  stored.set(verification.id, verification);
  return verification;
}

/** Removes the data: the verification has a receipt. */
const removing: RemoveData = async ({ verificationId }, cause) => {
  removed.push(cause);
  const found = stored.get(verificationId);
  if (found !== undefined) put({ ...found, erasureNumber: 1 });
};

/** Erases what is stored. */
function given({
  removeData = removing,
  withdraw = async () => expect.fail('nothing is withdrawn'),
  ...operations
}: Partial<RetentionRepository> & {
  readonly removeData?: RemoveData;
  readonly withdraw?: () => Promise<unknown>;
} = {}) {
  const { request, ...eraser } = createEraseVerification({
    retention: portWith<RetentionRepository>({
      lastRun: async () => null,
      find: async ({ verificationId }) => stored.get(verificationId) ?? null,
      storedTraces: async ({ verificationId }) => {
        const verification = stored.get(verificationId);
        return verification === undefined ? null : { verification, events: [] };
      },
      change: async ({ verification, expectedVersion }) => {
        if (stored.get(verification.id)?.version !== expectedVersion) return { outcome: 'conflict' };
        put(verification);
        return { outcome: 'committed' };
      },
      schedule: async ({ place, checkAt }) => {
        put({ ...(stored.get(place.verificationId) ?? expect.fail('none')), retentionCheckAt: checkAt });
        return { outcome: 'scheduled' };
      },
      ...operations,
    }),
    clock: { now: () => NOW },
    ids: { next: () => 'event-1' },
    onFault: (fault) => void faults.push(fault),
    checkLog: async () => undefined,
    removeData,
    rulesOf: async () => DEFAULT_RETENTION_SETTINGS,
    withdraw,
  });
  return {
    ...eraser,
    request: ({ verificationId = PLACE.verificationId, mayWithdraw = false } = {}) =>
      request({ ...PLACE, verificationId }, { actor: OWNER, withdraw: mayWithdraw }),
  };
}

/** Resolves after all other calls have run until they wait. */
const allElseWaits = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('a request without a withdrawal is refused while the verification is open, and changes nothing', async () => {
  const open = put(retained({}, pending()));
  await expect(given().request()).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  expect(stored.get('verification-1')).toBe(open);
});

describe('the process that begins an erasure', () => {
  it('an erasure that begins is left to its process for five minutes', async () => {
    put(withdrawn());
    expect(await given().request()).toEqual(ERASED);
    expect(stored.get('verification-1')).toMatchObject({ erasedAt: NOW, retentionCheckAt: after(5 * MINUTE_MS) });
  });

  it('a request waits for the erasure of its own process, also after another call lost the race to begin it', async () => {
    const removal = Promise.withResolvers<void>();
    const eraser = given({ removeData: (...request) => removal.promise.then(() => removing(...request)) });
    const verification = put(withdrawn());
    const by = { actor: SYSTEM, requested: false };
    const calls = [1, 2].map(() => eraser.erase(verification, DEFAULT_RETENTION_SETTINGS, by));
    await allElseWaits();
    const requested = eraser.request();
    await allElseWaits();
    removal.resolve();
    expect(await requested).toEqual(ERASED);
    expect(await Promise.all(calls)).toEqual(['erased', 'changed']);
    expect(removed).toHaveLength(1);
  });

  it('a request does not wait for the erasure of another verification', async () => {
    const removal = Promise.withResolvers<void>();
    const eraser = given({ removeData: () => removal.promise });
    put(withdrawn());
    put(claimed({ id: 'verification-2' }));
    const ended: string[] = [];
    const first = eraser.request().then(() => ended.push('first'));
    await allElseWaits();
    const other = eraser.request({ verificationId: 'verification-2' }).catch(({ code }) => ended.push(code));
    await allElseWaits();
    removal.resolve();
    put(erasing({ erasureNumber: 1 }));
    await Promise.all([first, other]);
    expect(ended).toEqual(['SERVICE_UNAVAILABLE', 'first']);
  });
});

describe('a request for an erasure that another instance began', () => {
  it.each<[string, RetainedVerification]>([
    ['failed there', erasing({ retentionCheckAt: NOW })],
    ['is not planned', erasing({ retentionCheckAt: null })],
  ])('a request continues an erasure that %s', async (_how, verification) => {
    put(verification);
    expect(await given().request()).toEqual(ERASED);
    expect(removed).toMatchObject([{ rule: 'rejected', actor: SYSTEM }]);
  });

  it.each<[string, RetainedVerification | null, unknown, number]>([
    ['goes on', claimed(), 'SERVICE_UNAVAILABLE', 0],
    ['has removed the data', claimed({ erasureNumber: 1 }), ERASED, 0],
    ['failed', erasing({ retentionCheckAt: NOW }), ERASED, 1],
    ['left nothing', null, 'VERIFICATION_NOT_FOUND', 0],
  ])(
    'a request reads the verification again and learns that the erasure %s',
    async (_what, next, result, removals) => {
      if (next !== null) put(next);
      let isFirst = true;
      const find: RetentionRepository['find'] = async () => {
        const found = isFirst ? claimed() : (stored.get('verification-1') ?? null);
        isFirst = false;
        return found;
      };
      expect(
        await given({ find })
          .request()
          .catch(({ code }) => code),
      ).toEqual(result);
      expect(removed).toHaveLength(removals);
    },
  );

  it('a request that another instance overtakes does not report the data as erased', async () => {
    put(erasing({ retentionCheckAt: NOW }));
    const schedule = async () => {
      put(claimed());
      return { outcome: 'conflict' } as const;
    };
    await expect(given({ schedule }).request()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(removed).toEqual([]);
  });
});

describe('an erasure that fails', () => {
  it('a request rejects with the fault of the removal if the verification was deleted meanwhile', async () => {
    put(withdrawn());
    const removeData = async () => {
      stored.clear();
      throw FAULT;
    };
    await expect(given({ removeData }).request()).rejects.toBe(FAULT);
    expect(faults).toEqual([]);
  });

  it('an erasure by the job rejects if files are left, and one on request reports the fault', async () => {
    const removeData: RemoveData = async (...removal) => {
      await removing(...removal);
      throw FAULT;
    };
    const eraser = given({ removeData });
    const begun = put(erasing());
    const resumed = eraser.erase(begun, DEFAULT_RETENTION_SETTINGS, { actor: SYSTEM, requested: false });
    await expect(resumed).rejects.toBe(FAULT);
    expect(faults).toEqual([]);
    put(begun);
    expect(await eraser.request()).toEqual(ERASED);
    expect(faults).toEqual([FAULT]);
  });

  it('an erasure whose verification has no traces left is continued with the system as actor', async () => {
    const begun = put(erasing());
    const eraser = given({ storedTraces: async () => null });
    expect(await eraser.resume(begun, DEFAULT_RETENTION_SETTINGS)).toBe('erased');
    expect(removed).toMatchObject([{ rule: 'rejected', actor: SYSTEM }]);
  });
});

it.each<[string, () => void]>([
  ['is still open', () => undefined],
  ['is gone', () => stored.clear()],
])('a failed withdrawal before an erasure is not tried again if the verification %s', async (_how, meanwhile) => {
  put(retained({}, pending()));
  let withdrawals = 0;
  const withdraw = () => {
    withdrawals += 1;
    meanwhile();
    return Promise.reject(FAULT);
  };
  await expect(given({ withdraw }).request({ mayWithdraw: true })).rejects.toBe(FAULT);
  expect([withdrawals, removed]).toEqual([1, []]);
});
