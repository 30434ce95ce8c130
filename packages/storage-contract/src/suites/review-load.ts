import { NEW_FLOW_SETTINGS, testTwinOf } from '@countersign/domain/clients';
import type { ReviewLoad, ReviewLoadQuery, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { aClient, givenClient, givenClients } from '../records/clients.ts';
import { eventOf } from '../records/events.ts';
import { clientId } from '../records/ids.ts';
import { moved } from '../records/records.ts';
import { commit, givenSubmitted, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const NOTHING: ReviewLoad = {
  waiting: 0,
  waitingSince: null,
  overdue: 0,
  overdueSince: null,
  decisions: [],
  medianMs: null,
};

const MAY = { now: new Date('2026-05-02T12:00:00.000Z'), decidedFrom: new Date('2026-05-02T00:00:00.000Z') };
const MINUTE_MS = 60_000;

/** What waits for reviewers of all clients, and what they decided, as their queue and metrics show it. */
export const reviewLoadSuite: Suite = suiteOf('review load', {
  'review load: is nothing without clients, without verifications and of none that was submitted': async (
    storage,
  ) => {
    expect(await loadOf(storage)).toEqual(NOTHING);
    await givenClients(storage, [1, 2]);
    expect(await loadOf(storage)).toEqual(NOTHING);
    await givenVerification(storage, 1, { requestedAt: new Date('2026-05-01T08:00:00.000Z') });
    expect(await loadOf(storage)).toEqual(NOTHING);
  },

  'review load: counts what waits at all clients in live use, however long': async (storage) => {
    await givenClients(storage, [1, 2]);
    const test = testTwinOf(aClient(3), { id: clientId(4), createdAt: new Date(0) });
    await storage.clients.create({ client: aClient(3), subscription: null, test });
    await givenSubmitted(storage, 1, '2026-05-02T11:00:00.000Z');
    await givenSubmitted(storage, 2, '2024-01-01T10:00:00.001Z', { clientId: clientId(2), type: 'kyb' });
    await givenSubmitted(storage, 3, '2023-01-01T10:00:00.000Z', { clientId: clientId(4) });
    const asked = await givenSubmitted(storage, 4, '2023-01-01T10:00:00.000Z');
    await commit(storage, moved(asked, 'action_needed'));
    await decide(storage, 5, 'approved', { submittedAt: '2023-01-01T10:00:00.000Z' });
    expect(await loadOf(storage)).toMatchObject({
      waiting: 2,
      waitingSince: new Date('2024-01-01T10:00:00.001Z'),
      overdue: 0,
      overdueSince: null,
    });
  },

  'review load: what waits is overdue once the hours of its client have passed': async (storage) => {
    const dueIn = (dueHours: number | null) => ({ flowSettings: { ...NEW_FLOW_SETTINGS, dueHours } });
    await givenClient(storage, 1, null, dueIn(24));
    await givenClient(storage, 2, null, dueIn(1));
    await givenClient(storage, 3, null, dueIn(null));
    // Twins may keep settings, which have no effect.
    await givenClient(storage, 4, null, { ...dueIn(1), testOf: clientId(3) });
    await givenSubmitted(storage, 1, '2026-05-01T11:59:59.999Z');
    await givenSubmitted(storage, 2, '2026-05-01T12:00:00.000Z');
    await givenSubmitted(storage, 3, '2026-05-02T10:00:00.000Z', { clientId: clientId(2) });
    await givenSubmitted(storage, 4, '2020-01-01T10:00:00.000Z', { clientId: clientId(3) });
    await givenSubmitted(storage, 5, '2020-01-01T10:00:00.000Z', { clientId: clientId(4) });
    await decide(storage, 6, 'approved', { submittedAt: '2026-04-01T10:00:00.000Z' });
    expect(await loadOf(storage)).toMatchObject({
      waiting: 4,
      overdue: 2,
      overdueSince: new Date('2026-05-02T11:00:00.000Z'),
    });
    expect(await loadOf(storage, { now: new Date('2026-05-02T12:00:00.001Z') })).toMatchObject({ overdue: 3 });
    expect(await loadOf(storage, { now: new Date('2026-05-02T11:00:00.000Z') })).toMatchObject({
      overdue: 0,
      overdueSince: null,
    });
  },

  'review load: counts decisions from a moment on, by reviewer, with the median of their times': async (
    storage,
  ) => {
    await givenClients(storage, [1, 2]);
    const at = (time: string, minutes: number) => ({
      resolvedAt: `2026-05-${time}`,
      submittedAt: new Date(Date.parse(`2026-05-${time}`) - minutes * MINUTE_MS).toISOString(),
    });
    await decide(storage, 1, 'approved', { ...at('01T23:59:59.999Z', 90), by: 'lena' });
    await decide(storage, 2, 'approved', { ...at('02T00:00:00.000Z', 10), by: 'lena' });
    await decide(storage, 3, 'rejected', { ...at('02T09:00:00.000Z', 20), by: 'lena' });
    await decide(storage, 4, 'approved', { ...at('02T10:00:00.000Z', 40), by: 'max', clientId: clientId(2) });
    expect(await loadOf(storage)).toEqual({
      ...NOTHING,
      decisions: [
        { reviewerId: 'lena', approved: 1, rejected: 1 },
        { reviewerId: 'max', approved: 1, rejected: 0 },
      ],
      medianMs: 20 * MINUTE_MS,
    });
    // A clock that was set back.
    await decide(storage, 5, 'approved', { ...at('02T11:00:00.000Z', -5), by: 'max' });
    expect(await loadOf(storage)).toMatchObject({ medianMs: 10 * MINUTE_MS });
    const later = await loadOf(storage, { decidedFrom: new Date('2026-05-02T11:00:00.000Z') });
    expect(later).toMatchObject({ decisions: [{ reviewerId: 'max', approved: 1, rejected: 0 }], medianMs: 0 });
  },

  'review load: counts no withdrawal, no expiry, no decision of the system and none of a test twin': async (
    storage,
  ) => {
    await givenClient(storage, 1);
    await givenClient(storage, 2, null, { testOf: clientId(1) });
    for (const [n, type] of (['verification.withdrawn', 'verification.expired'] as const).entries()) {
      const submitted = await givenSubmitted(storage, n + 1, '2026-05-02T09:00:00.000Z');
      const ended = moved(submitted, 'rejected', { resolvedAt: new Date('2026-05-02T10:00:00.000Z') });
      const actor = { kind: 'team_member', id: 'lena' } as const;
      await commit(storage, ended, { events: [eventOf(ended, { type, actor })] });
    }
    await decide(storage, 3, 'approved', { by: null });
    await decide(storage, 4, 'approved', { by: 'lena', clientId: clientId(2) });
    expect(await loadOf(storage)).toEqual(NOTHING);
  },
});

/** The load, its decisions in the order of reviewers. */
async function loadOf({ verifications }: Storage, given: Partial<ReviewLoadQuery> = {}): Promise<ReviewLoad> {
  const load = await verifications.reviewLoad({ ...MAY, ...given });
  return { ...load, decisions: load.decisions.toSorted((a, b) => (a.reviewerId < b.reviewerId ? -1 : 1)) };
}

async function decide(
  storage: Storage,
  n: number,
  status: 'approved' | 'rejected',
  {
    submittedAt = '2026-05-02T09:00:00.000Z',
    resolvedAt = '2026-05-02T10:00:00.000Z',
    by = 'lena',
    ...given
  }: { submittedAt?: string; resolvedAt?: string; by?: string | null; clientId?: string } = {},
): Promise<void> {
  const submitted = await givenSubmitted(storage, n, submittedAt, given);
  const decided = moved(submitted, status, { resolvedAt: new Date(resolvedAt) });
  const actor = { kind: by === null ? 'system' : 'reviewer', id: by } as const;
  await commit(storage, decided, { events: [eventOf(decided, { actor })] });
}
