import { beforeEach, describe, expect, it } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { file, inState, pending } from '../../test-support/verifications.ts';
import { CountersignError } from '../errors.ts';
import { createChangeVerification } from './change-verification.ts';
import { createExpireVerifications, type ExpireVerifications } from './expire-verifications.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { renewLink, withdraw } from './manage-verification.ts';
import { submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

type Commit = Parameters<VerificationRepository['commit']>[0];
type Asked = Parameters<VerificationRepository['dueForExpiry']>[0];

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The moment at which the pending verification expires: 30 days after its link. */
const DUE = new Date(pending().link.expiresAt.getTime() + 30 * DAY_MS);

let stored: Map<string, VerificationRecord>;
let asked: Asked[];
let commits: Commit[];
let faults: unknown[];
let discarded: string[];
let now: Date;

beforeEach(() => {
  [stored, asked, commits, faults, discarded, now] = [new Map(), [], [], [], [], DUE];
});

const given = (verification: Verification) => stored.set(verification.id, toRecord(verification));

/** A job over a storage that finds every verification due, whatever its state. */
function expiring({
  expireAfterDays = 30,
  beforeCommit = () => undefined,
  hadEndpoint = async () => true,
  pausedUntil = null,
  find = async (_clientId, id) => stored.get(id) ?? null,
}: {
  expireAfterDays?: number;
  pausedUntil?: Date | null;
  beforeCommit?: (change: Commit) => void;
  hadEndpoint?: (clientId: string, at: Date) => Promise<boolean>;
  find?: VerificationRepository['find'];
} = {}): ExpireVerifications {
  let ids = 0;
  const commit: VerificationRepository['commit'] = async (change) => {
    beforeCommit(change);
    const { record, expectedVersion } = change;
    if (stored.get(record.id)?.version !== expectedVersion) return { outcome: 'conflict' };
    commits.push(change);
    stored.set(record.id, record);
    return { outcome: 'committed' };
  };
  const clock = { now: () => now };
  const change = createChangeVerification(
    {
      verifications: portWith<VerificationRepository>({ commit }),
      flows: BUILT_IN_FLOWS,
      clock,
      ids: { next: () => `event-${++ids}` },
      evidence: { discard: async (places) => void discarded.push(...places.map(({ fileId }) => fileId)) },
      indexLabels: { label: async () => undefined },
      caseWarnings: { ahead: async () => undefined, after: () => undefined },
    },
    { sendsMail: false },
  );
  const dueForExpiry = async (request: Asked) => {
    asked.push(request);
    return [...stored.values()].map(({ clientId, id }) => ({ clientId, verificationId: id }));
  };
  return createExpireVerifications(
    {
      verifications: { dueForExpiry, find },
      change,
      clock,
      onFault: (fault) => faults.push(fault),
      readPause: async (at) => (pausedUntil !== null && pausedUntil > at ? pausedUntil : null),
      hadEndpoint,
    },
    { expireAfterDays, linkLifetimeDays: 30 },
  );
}

it('expires none while the clock may have jumped, and all that are due afterwards', async () => {
  given(pending());
  const { expire } = expiring({ pausedUntil: new Date(DUE.getTime() + DAY_MS) });
  expect(await expire()).toEqual({ expired: 0, isDone: true });
  expect([asked, commits]).toEqual([[], []]);
  now = new Date(DUE.getTime() + DAY_MS);
  expect(await expire()).toEqual({ expired: 1, isDone: true });
});

it('expires a verification at the moment at which its link ended 30 days ago, as the system', async () => {
  given(pending());
  expect(await expiring().expire()).toEqual({ expired: 1, isDone: true });
  expect(stored.get('verification-1')).toMatchObject({ status: 'rejected', resolvedAt: DUE });
  expect(commits.flatMap(({ events }) => events)).toEqual([
    expect.objectContaining({
      type: 'verification.expired',
      status: 'rejected',
      at: DUE,
      actor: { kind: 'system', id: null },
      data: { reasonCodes: ['expired'] },
    }),
  ]);
});

it('asks for links that ended 30 days ago, of verifications whose first link ended by then', async () => {
  const { expire } = expiring({ expireAfterDays: 7 });
  await expire();
  asked = [];
  await expire();
  const before = (days: number) => new Date(DUE.getTime() - days * DAY_MS);
  expect(asked).toEqual([{ linkEndedBy: before(7), requestedBy: before(37), limit: 50 }]);
});

it('looks each hour, until none is left, for verifications with the shortest link that a client can set', async () => {
  const { expire } = expiring({ expireAfterDays: 7 });
  const requestedAfterDays = async (later: number) => {
    now = new Date(DUE.getTime() + later);
    asked = [];
    await expire();
    return asked.map(({ requestedBy }) => (now.getTime() - requestedBy.getTime()) / DAY_MS);
  };
  const found = Array.from({ length: 50 }, (_, n) => ({ ...pending(), id: `verification-${n}` }));
  for (const verification of found) given(verification);
  expect(await requestedAfterDays(0)).toEqual([8]);
  stored.clear();
  expect(await requestedAfterDays(1)).toEqual([8]);
  expect(await requestedAfterDays(HOUR_MS)).toEqual([37]);
  expect(await requestedAfterDays(HOUR_MS + 1)).toEqual([8]);
});

it.each([
  ['had an endpoint when it was due', 0, {}],
  ['got its endpoint a millisecond later', 1, { silent: true }],
])('the event of an old verification is sent only if the client %s', async (_what, later, silent) => {
  given(pending());
  now = new Date(DUE.getTime() + 100 * DAY_MS);
  const createdAt = DUE.getTime() + later;
  const hadEndpoint = async (clientId: string, at: Date) => clientId === 'client-1' && createdAt <= at.getTime();
  await expiring({ hadEndpoint }).expire();
  const data = commits.flatMap(({ events }) => events.map((event) => event.data));
  expect(data).toEqual([{ reasonCodes: ['expired'], ...silent }]);
});

it('a verification that expired displaces no other from the next search', async () => {
  given(pending());
  const job = expiring();
  await job.expire();
  await job.expire();
  expect(asked.map(({ limit }) => limit)).toEqual([50, 50]);
});

it('reports a verification that is gone when it is read as not found', async () => {
  given(pending());
  await expiring({ find: async () => null }).expire();
  expect(faults).toEqual([expect.objectContaining({ code: 'VERIFICATION_NOT_FOUND' })]);
});

it('deletes the files that the verification no longer names', async () => {
  given({ ...pending(), files: [file('document', 'document_front', 'unused')] });
  await expiring().expire();
  expect(discarded).toEqual(['unused']);
});

it('with 0 days, does not search and expires nothing', async () => {
  given(pending());
  expect(await expiring({ expireAfterDays: 0 }).expire()).toEqual({ expired: 0, isDone: true });
  expect([asked, commits]).toEqual([[], []]);
});

describe('a verification does not expire', () => {
  const link = { version: 1, expiresAt: pending().link.expiresAt };

  it('a millisecond before its time', async () => {
    given(pending());
    now = new Date(DUE.getTime() - 1);
    expect(await expiring().expire()).toEqual({ expired: 0, isDone: true });
    expect(commits).toEqual([]);
  });

  it.each(['submitted', 'approved', 'rejected'] as const)('when it is %s', async (status) => {
    given({ ...inState(status), link });
    expect(await expiring().expire()).toEqual({ expired: 0, isDone: true });
    expect([commits, faults]).toEqual([[], []]);
  });

  it.each<[string, (before: Verification) => Verification]>([
    ['its link is renewed', (before) => renewLink(before, { now, linkLifetimeDays: 30 }).next],
    ['it is submitted', (before) => submit(before, now).next],
    ['it is withdrawn', (before) => withdraw(before, now).next],
  ])('when %s at the same moment', async (_what, move) => {
    const before: Verification = { ...inState('action_needed'), link, awaiting: [] } as Verification;
    given(before);
    const winner = move(before);
    const job = expiring({ beforeCommit: () => void given(winner) });
    expect(await job.expire()).toEqual({ expired: 0, isDone: true });
    expect([commits, faults]).toEqual([[], []]);
    expect(stored.get(before.id)).toEqual(toRecord(winner));
  });
});

describe('a hold', () => {
  const held = (heldUntil: Date | null): Verification => ({ ...pending(), heldAt: new Date(0), heldUntil });

  it('keeps a verification from expiring until it is released, and lets it displace no other', async () => {
    const job = expiring();
    given(held(null));
    expect(await job.expire()).toEqual({ expired: 0, isDone: true });
    await job.expire();
    expect([commits, faults, asked.map(({ limit }) => limit)]).toEqual([[], [], [50, 51]]);
    given(pending());
    now = new Date(DUE.getTime() + 60 * 60 * 1000);
    expect(await job.expire()).toEqual({ expired: 1, isDone: true });
  });

  it('lets it expire at the end of the hold', async () => {
    const job = expiring();
    const heldUntil = new Date(DUE.getTime() + 1_000);
    given(held(heldUntil));
    expect(await job.expire()).toEqual({ expired: 0, isDone: true });
    now = heldUntil;
    expect(await job.expire()).toEqual({ expired: 1, isDone: true });
  });

  it('a hold that is set at the same moment wins', async () => {
    given(pending());
    const job = expiring({ beforeCommit: () => void given({ ...held(null), version: pending().version + 1 }) });
    expect(await job.expire()).toEqual({ expired: 0, isDone: true });
    expect([commits, stored.get('verification-1')?.status]).toEqual([[], 'pending']);
  });
});

describe('when storage fails', () => {
  const failing = () => {
    throw new Error('the disk is full');
  };

  it('reports a verification that fails, skips it for an hour and does not let it displace others', async () => {
    given(pending());
    const job = expiring({ beforeCommit: failing });
    await job.expire();
    await job.expire();
    now = new Date(DUE.getTime() + 60 * 60 * 1000);
    await job.expire();
    expect(asked.map(({ limit }) => limit)).toEqual([50, 51, 50]);
    expect(faults).toHaveLength(2);
  });

  it('ends the slice when the database is unavailable, and counts the verifications expired before', async () => {
    for (let n = 1; n <= 12; n += 1) given({ ...pending(), id: `verification-${n}` });
    const beforeCommit = ({ record }: Commit) => {
      if (record.id === 'verification-7') throw new CountersignError('SERVICE_UNAVAILABLE');
    };
    expect(await expiring({ beforeCommit }).expire()).toEqual({ expired: 9, isDone: false });
    expect(faults).toEqual([]);
  });
});

it('isDone: false while a whole slice was due', async () => {
  for (let n = 1; n <= 50; n += 1) given({ ...pending(), id: `verification-${n}` });
  const job = expiring();
  expect(await job.expire()).toEqual({ expired: 50, isDone: false });
});
