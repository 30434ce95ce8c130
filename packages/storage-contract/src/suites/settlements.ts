import type { VerificationEvent } from '@countersign/domain';
import type { Attempt, Storage } from '@countersign/domain/storage';
import type { WebhookEndpoint } from '@countersign/domain/webhooks';
import { expect } from 'vitest';
import { atOnce, expectRejected, range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { expectCount } from '../records/count.ts';
import { eventOf } from '../records/events.ts';
import { clientId, eventIdOf, minute } from '../records/ids.ts';
import { allMails, aUserMail } from '../records/mails.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import {
  anAttempt,
  dueIds,
  endpointNow,
  fanOut,
  givenEndpoint,
  leaseEndpoints,
  leaseOf,
  logged,
  logOf,
  MUCH_LATER,
  NOW,
  settle,
} from '../records/webhooks.ts';
import { type Suite, suiteGiven } from '../suite.ts';

const SETTLED = { outcome: 'settled' };

interface Given {
  readonly endpoint: WebhookEndpoint;
  /** The first events of three verifications, due at the endpoint, which the first token holds. */
  readonly events: readonly [VerificationEvent, VerificationEvent, VerificationEvent];
}

async function givenLeased(storage: Storage): Promise<Given> {
  await givenClient(storage);
  const endpoint = await givenEndpoint(storage);
  const event = async (n: number) => eventOf(await givenVerification(storage, n));
  const events = [await event(1), await event(2), await event(3)] as const;
  await fanOut(storage);
  await leaseEndpoints(storage);
  return { endpoint, events };
}

function attemptsOf(
  { webhooks }: Storage,
  { clientId, id }: WebhookEndpoint,
  event: VerificationEvent,
): Promise<readonly Attempt[] | null> {
  return webhooks.attempts(clientId, id, event.id);
}

const waitingUntil = (dueAt: Date) => ({ state: 'waiting', dueAt }) as const;

/** The `n`th attempt, `n` milliseconds after a moment that all share. */
const at = (n: number) => ({ attempt: anAttempt(n, { at: minute(5_000, n) }) });

/** The `n`th attempt, which failed: the next is due in minute `due`. */
const failed = (n: number, due = 9_000) => ({ ...at(n), settlement: waitingUntil(minute(due)) });

/** Settlements: one attempt in the log, the delivery's next state, and the state of the endpoint. */
export const settlementsSuite: Suite = suiteGiven('settlements', givenLeased, {
  'settle: a delivered event is not due again': async (storage, { endpoint, events: [first, second, third] }) => {
    expect(await settle(storage, endpoint, second)).toEqual(SETTLED);

    expect(await logged(storage, endpoint, 'state')).toEqual([
      [third.id, 'waiting'],
      [second.id, 'delivered'],
      [first.id, 'waiting'],
    ]);
    const entry = (await logOf(storage, endpoint)).find(({ eventId }) => eventId === second.id);
    expect([entry?.attempts, entry?.dueAt]).toEqual([1, null]);
    expect(await dueIds(storage, endpoint, { now: MUCH_LATER })).toEqual([first.id, third.id]);
  },

  'settle: a retry is due at its time and counts its attempts': async (storage, { endpoint, events: [event] }) => {
    for (const n of range(1, 3)) {
      const dueAt = minute(5_000 + n, n);
      const given = { attempt: anAttempt(n), settlement: waitingUntil(dueAt) };
      expect(await settle(storage, endpoint, event, given)).toEqual(SETTLED);
      const entry = (await logOf(storage, endpoint)).find(({ eventId }) => eventId === event.id);
      expect([entry?.state, entry?.attempts, entry?.dueAt]).toEqual(['waiting', n, dueAt]);
    }
  },

  'settle: later versions of a retry are due no earlier than it': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    const next = moved(aRecord(1), 'submitted');
    await commit(storage, next);
    await fanOut(storage);

    await settle(storage, endpoint, first, { settlement: waitingUntil(minute(7_000)) });

    expect(new Map(await logged(storage, endpoint, 'dueAt'))).toEqual(
      new Map([
        [first.id, minute(7_000)],
        [eventIdOf(next), minute(7_000)],
        [second.id, NOW],
        [third.id, NOW],
      ]),
    );
  },

  'settle: the retry of a delivery that is sent again leaves a later delivered version ended': async (
    storage,
    { endpoint, events: [first] },
  ) => {
    const next = moved(aRecord(1), 'submitted');
    await commit(storage, next);
    await fanOut(storage);
    await settle(storage, endpoint, first, at(1));
    await settle(storage, endpoint, eventOf(next), at(2));
    const which = { eventId: first.id };
    await storage.webhooks.resend({ clientId: clientId(1), endpointId: endpoint.id, which, now: NOW });

    await settle(storage, endpoint, first, failed(3));

    const { state, dueAt } =
      (await logOf(storage, endpoint)).find(({ eventId }) => eventId === eventIdOf(next)) ?? {};
    expect([state, dueAt]).toEqual(['delivered', null]);
  },

  'settle: a failed delivery is not due again': async (storage, { endpoint, events: [event] }) => {
    await settle(storage, endpoint, event, { settlement: { state: 'failed' } });

    const entry = (await logOf(storage, endpoint)).find(({ eventId }) => eventId === event.id);
    expect([entry?.state, entry?.attempts, entry?.dueAt]).toEqual(['failed', 1, null]);
    expect(await dueIds(storage, endpoint, { now: MUCH_LATER })).not.toContain(event.id);
  },

  'settle: stores every attempt unchanged, oldest first': async (
    storage,
    { endpoint, events: [event, other] },
  ) => {
    const responded = anAttempt(2, { durationMs: 0, status: 200, response: '', request: '{"ä":"😀\\n"}' });
    const unanswered = anAttempt(1, { status: null, response: null, fault: 'The address is inside: “10.0.0.1”' });
    const sameTime = anAttempt(3, { at: responded.at, response: 'x'.repeat(2_048) });
    for (const attempt of [sameTime, responded, unanswered])
      await settle(storage, endpoint, event, { attempt, settlement: waitingUntil(NOW) });

    expect(await attemptsOf(storage, endpoint, event)).toEqual([unanswered, responded, sameTime]);
    expect(await attemptsOf(storage, endpoint, other)).toEqual([]);
  },

  'settle: a delivery that is no longer waiting stays as it is, and its attempt is stored': async (
    storage,
    { endpoint, events: [event] },
  ) => {
    await settle(storage, endpoint, event);
    const before = await logOf(storage, endpoint);

    const given = { attempt: anAttempt(2), settlement: waitingUntil(minute(6_000)) };
    expect(await settle(storage, endpoint, event, given)).toEqual(SETTLED);

    expect(await logOf(storage, endpoint)).toEqual(before);
    expect(await attemptsOf(storage, endpoint, event)).toEqual([anAttempt(1), anAttempt(2)]);
  },

  'settle: `failingSince` is the first failed attempt until one is successful': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    const failing = async () => (await endpointNow(storage)).failingSince;
    const settlement = waitingUntil(NOW);

    await settle(storage, endpoint, first, { ...at(1), settlement });
    await settle(storage, endpoint, second, { ...at(2), settlement: { state: 'failed' } });
    expect(await failing()).toEqual(minute(5_000, 1));
    await settle(storage, endpoint, third, at(3));
    expect(await failing()).toBe(null);
    await settle(storage, endpoint, first, { ...at(4), settlement });
    expect(await failing()).toEqual(minute(5_000, 4));
  },

  'settle: the first success after failures makes what waits due, spread evenly in the order of its retries':
    async (storage, { endpoint, events: [first, second, third] }) => {
      const next = moved(aRecord(1), 'submitted');
      await commit(storage, next);
      await fanOut(storage);
      await settle(storage, endpoint, first, failed(1));
      await settle(storage, endpoint, second, failed(2, 6_000));

      await settle(storage, endpoint, third, { ...at(3), wake: { limit: 10, withinMs: 5_000 } });

      const after = (milliseconds: number) => new Date(minute(5_000, 3).getTime() + milliseconds);
      expect(new Map(await logged(storage, endpoint, 'dueAt'))).toEqual(
        new Map([
          [second.id, after(0)],
          [first.id, after(1_666)],
          [eventIdOf(next), after(3_333)],
          [third.id, null],
        ]),
      );
      expect((await endpointNow(storage)).failingSince).toBe(null);
      expect(await dueIds(storage, endpoint, { now: after(1_666) })).toEqual([second.id, first.id]);
      // The endpoint is leased again with the first of them.
      await storage.webhooks.release(leaseOf(endpoint));
      expect(await leaseEndpoints(storage, 2, { now: after(-1) })).toEqual([]);
      expectCount(await leaseEndpoints(storage, 2, { now: after(0) }), 1);
    },

  'settle: after an outage, a delivery that is already due keeps its time and delays no other': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    await settle(storage, endpoint, first, { ...at(1), settlement: waitingUntil(minute(5_000, 3)) });
    await settle(storage, endpoint, second, failed(2));

    await settle(storage, endpoint, third, { ...at(3), wake: { limit: 10, withinMs: 5_000 } });

    const times = new Map(await logged(storage, endpoint, 'dueAt'));
    expect([times.get(first.id), times.get(second.id)]).toEqual([minute(5_000, 3), minute(5_000, 3)]);
  },

  'settle: after an outage, versions that wait for the same moment are due in their order': async (
    storage,
    { endpoint, events: [first, second] },
  ) => {
    const next = moved(aRecord(1), 'submitted');
    // The clock of the instance that wrote it was behind.
    await commit(storage, next, { events: [eventOf(next, { at: minute(-5) })] });
    await fanOut(storage);
    await settle(storage, endpoint, first, failed(1));

    await settle(storage, endpoint, second, { ...at(3), wake: { limit: 10, withinMs: 4_000 } });

    const times = new Map(await logged(storage, endpoint, 'dueAt'));
    expect([times.get(first.id), times.get(eventIdOf(next))]).toEqual([
      minute(5_000, 3),
      new Date(minute(5_000, 3).getTime() + 2_000),
    ]);
  },

  'settle: a delivery that failed when the outage ended, or later, keeps its retry': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    await settle(storage, endpoint, first, failed(1));
    await settle(storage, endpoint, second, failed(2));
    const outage = { since: minute(5_000, 1), until: minute(5_000, 2) };

    await settle(storage, endpoint, third, { ...at(3), wake: { limit: 10, withinMs: 0, outage } });

    const times = new Map(await logged(storage, endpoint, 'dueAt'));
    expect([times.get(first.id), times.get(second.id)]).toEqual([minute(5_000, 3), minute(9_000)]);
  },

  'settle: of very many that wait, the first are due after an outage': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    await settle(storage, endpoint, first, failed(1));
    await settle(storage, endpoint, second, failed(2, 6_000));

    await settle(storage, endpoint, third, { ...at(3), wake: { limit: 1, withinMs: 5_000 } });

    expect(new Map(await logged(storage, endpoint, 'dueAt'))).toEqual(
      new Map([
        [first.id, minute(9_000)],
        [second.id, minute(5_000, 3)],
        [third.id, null],
      ]),
    );
  },

  'settle: of very many that wait, those after the first are due with later successes that name the outage':
    async (storage, { endpoint, events: [first, second, third] }) => {
      const others = [
        eventOf(await givenVerification(storage, 4)),
        eventOf(await givenVerification(storage, 5)),
      ] as const;
      await fanOut(storage);
      const wake = { limit: 1, withinMs: 5_000 };
      const outage = { since: minute(5_000, 1), until: minute(5_000, 3) };
      await settle(storage, endpoint, first, failed(1));
      await settle(storage, endpoint, second, failed(2, 6_000));

      const ended = await settle(storage, endpoint, third, { ...at(3), wake });
      expect(ended).toEqual({ outcome: 'settled', unfinished: outage });
      // It was woken, and fails again: it keeps its retry.
      await settle(storage, endpoint, second, failed(4, 9_500));
      const next = await settle(storage, endpoint, others[0], { ...at(5), wake: { ...wake, outage } });
      expect(next).toEqual({ outcome: 'settled', unfinished: outage });
      const last = await settle(storage, endpoint, others[1], {
        ...at(6),
        wake: { limit: 2, withinMs: 5_000, outage },
      });

      expect(last).toEqual({ outcome: 'settled' });
      expect(new Map(await logged(storage, endpoint, 'dueAt'))).toEqual(
        new Map([
          [first.id, minute(5_000, 5)],
          [second.id, minute(9_500)],
          ...[third, ...others].map(({ id }) => [id, null] as const),
        ]),
      );
    },

  'settle: a success without failures before, or at another endpoint, makes nothing due': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    const other = await givenEndpoint(storage, 2);
    const dueAt = async (event: VerificationEvent) =>
      (await logOf(storage, endpoint)).find(({ eventId }) => eventId === event.id)?.dueAt;
    await settle(storage, endpoint, first, failed(1));
    await storage.webhooks.change(clientId(1), endpoint.id, { failingSince: null }, NOW);
    await settle(storage, endpoint, second, at(2));
    expect(await dueAt(first)).toEqual(minute(9_000));

    await settle(storage, endpoint, third, failed(3));
    await storage.webhooks.change(clientId(1), other.id, { failingSince: minute(4_000) }, NOW);
    const late = eventOf(await givenVerification(storage, 4));
    await fanOut(storage);
    await leaseEndpoints(storage, 1);
    await settle(storage, other, late, at(4));
    expect((await endpointNow(storage, 2)).failingSince).toBe(null);
    expect(await dueAt(first)).toEqual(minute(9_000));
  },

  'settle: what failed before the outage keeps its retry, with the later versions of its verification': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    const next = moved(aRecord(1), 'submitted');
    await commit(storage, next);
    await fanOut(storage);
    await settle(storage, endpoint, first, failed(1));
    await storage.webhooks.change(clientId(1), endpoint.id, { failingSince: null }, NOW);
    await settle(storage, endpoint, first, failed(2));
    await settle(storage, endpoint, second, failed(3));

    await settle(storage, endpoint, third, at(4));

    expect(new Map(await logged(storage, endpoint, 'dueAt'))).toEqual(
      new Map([
        [first.id, minute(9_000)],
        [eventIdOf(next), minute(9_000)],
        [second.id, minute(5_000, 4)],
        [third.id, null],
      ]),
    );
  },

  'settle: a success of a request that began before the first failure, or with it, ends no outage': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    const failing = async () => (await endpointNow(storage)).failingSince;
    await settle(storage, endpoint, first, failed(5));
    await settle(storage, endpoint, second, failed(4));
    expect(await failing()).toEqual(minute(5_000, 4));

    await settle(storage, endpoint, third, { ...at(3), pauseIfFailingSince: MUCH_LATER });
    expect(await failing()).toEqual(minute(5_000, 4));
    expect((await endpointNow(storage)).state).toBe('active');
    expect(await dueIds(storage, endpoint, { now: minute(8_999) })).toEqual([]);

    const more = [
      eventOf(await givenVerification(storage, 4)),
      eventOf(await givenVerification(storage, 5)),
    ] as const;
    await fanOut(storage);
    await settle(storage, endpoint, more[0], at(4));
    expect(await failing()).toEqual(minute(5_000, 4));
    const justAfter = new Date(minute(5_000, 4).getTime() + 1);
    await settle(storage, endpoint, more[1], { attempt: anAttempt(6, { at: justAfter }) });
    expect(await failing()).toBe(null);
    expectCount((await dueIds(storage, endpoint, { now: minute(5_001) })) ?? [], 2);
  },

  'settle: pauses an endpoint that has failed for long enough, to the millisecond': async (
    storage,
    { endpoint, events: [first, second] },
  ) => {
    const state = async () => (await endpointNow(storage)).state;
    const fails = (n: number, pauseIfFailingSince: Date) => ({
      attempt: anAttempt(n, { at: minute(5_000, n) }),
      settlement: waitingUntil(NOW),
      pauseIfFailingSince,
    });

    await settle(storage, endpoint, first, fails(5, minute(5_000, 4)));
    expect(await state()).toBe('active');
    await settle(storage, endpoint, second, fails(6, minute(5_000, 5)));

    expect(await state()).toBe('paused');
    // Its deliveries wait on.
    expect((await logOf(storage, endpoint)).map((entry) => entry.state)).toEqual([
      'waiting',
      'waiting',
      'waiting',
    ]);
  },

  'settle: queues mails with the pause, and only then': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    const failed = { settlement: waitingUntil(NOW), mailsIfPaused: [aUserMail(1), aUserMail(2)] };
    await settle(storage, endpoint, first, { ...failed, ...at(1) });
    const delivered = { ...failed, settlement: { state: 'delivered' }, pauseIfFailingSince: MUCH_LATER } as const;
    await settle(storage, endpoint, first, { ...delivered, ...at(2) });
    await settle(storage, endpoint, third, { ...failed, ...at(3), token: 9, pauseIfFailingSince: MUCH_LATER });
    expect(await allMails(storage)).toEqual([]);

    await settle(storage, endpoint, second, { ...failed, ...at(4), pauseIfFailingSince: MUCH_LATER });
    expect((await endpointNow(storage)).state).toBe('paused');
    expect(await allMails(storage)).toEqual([aUserMail(1), aUserMail(2)]);

    const again = { ...failed, mailsIfPaused: [aUserMail(3)], pauseIfFailingSince: MUCH_LATER };
    await settle(storage, endpoint, third, { ...again, ...at(5) });
    expectCount(await allMails(storage), 2);
  },

  'settle: changes nothing if a mail of a pause cannot be stored': async (
    storage,
    { endpoint, events: [first] },
  ) => {
    await storage.mails.add([aUserMail(1)]);
    const [before, log] = [await endpointNow(storage), await logOf(storage, endpoint)];
    const paused = { pauseIfFailingSince: MUCH_LATER, mailsIfPaused: [aUserMail(2), aUserMail(1)] };
    const failed = { settlement: { state: 'failed' }, ...paused } as const;
    await expectRejected(settle(storage, endpoint, first, failed), 'settle with a mail whose id is taken');

    expect(await endpointNow(storage)).toEqual(before);
    expect(await logOf(storage, endpoint)).toEqual(log);
    expect(await attemptsOf(storage, endpoint, first)).toEqual([]);
    expect(await allMails(storage)).toEqual([aUserMail(1)]);
  },

  'settle: queues no mails of a pause when it disables': async (storage, { endpoint, events: [first] }) => {
    const gone = { settlement: { state: 'failed' }, disable: true, pauseIfFailingSince: MUCH_LATER } as const;
    await settle(storage, endpoint, first, { ...gone, mailsIfPaused: [aUserMail(1)] });
    expect(await allMails(storage)).toEqual([]);
  },

  'settle: a success does not pause, and a disabled endpoint stays disabled': async (
    storage,
    { endpoint, events: [first, second] },
  ) => {
    await settle(storage, endpoint, first, { pauseIfFailingSince: MUCH_LATER });
    expect((await endpointNow(storage)).state).toBe('active');
    await storage.webhooks.change(clientId(1), endpoint.id, { state: 'disabled' }, NOW);

    const failed = { settlement: { state: 'failed' }, pauseIfFailingSince: MUCH_LATER } as const;
    await settle(storage, endpoint, second, { ...failed, attempt: anAttempt(2) });

    expect((await endpointNow(storage)).state).toBe('disabled');
  },

  'settle: `disable` disables the endpoint, and what waits for it fails': async (
    storage,
    { endpoint, events: [first, second, third] },
  ) => {
    await settle(storage, endpoint, first);

    await settle(storage, endpoint, second, {
      attempt: anAttempt(2),
      settlement: { state: 'failed' },
      disable: true,
    });

    expect((await endpointNow(storage)).state).toBe('disabled');
    expect(await logged(storage, endpoint, 'state')).toEqual([
      [third.id, 'failed'],
      [second.id, 'failed'],
      [first.id, 'delivered'],
    ]);
    expect(await logged(storage, endpoint, 'dueAt')).toEqual([third, second, first].map(({ id }) => [id, null]));
  },

  'settle: leaves other endpoints and other fields alone': async (storage, { endpoint, events: [event] }) => {
    const other = await givenEndpoint(storage, 2);
    const failed = { settlement: { state: 'failed' }, pauseIfFailingSince: MUCH_LATER } as const;

    await settle(storage, endpoint, event, failed);

    const failingSince = anAttempt().at;
    expect(await storage.webhooks.list(clientId(1))).toEqual([
      { ...endpoint, failingSince, state: 'paused' },
      other,
    ]);
  },

  'settle: of many at once, each is stored': async (storage, { endpoint, events }) => {
    const outcomes = await atOnce(12, (n) => {
      const event = events[n % 3] ?? eventOf(aRecord(1));
      return settle(storage, endpoint, event, { attempt: anAttempt(n), settlement: waitingUntil(NOW) });
    });

    expect(tally(outcomes)).toEqual({ settled: 12 });
    expect((await logOf(storage, endpoint)).map(({ attempts }) => attempts)).toEqual([4, 4, 4]);
    for (const event of events) expectCount(await attemptsOf(storage, endpoint, event), 4);
  },
});
