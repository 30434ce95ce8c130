// Eight workers deliver while verifications and endpoints change.
import type { VerificationEvent } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import { RECOVERY, type WebhookEndpoint } from '@countersign/domain/webhooks';
import { webhookEndpoint } from '@countersign/test-support/records/webhook-endpoint';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { aClient, aCreateRequest, CLIENT } from '../../../test-support/records.ts';
import { createPostgresStorage, type PostgresStorage } from '../../postgres-storage.ts';

const WORKERS = 8;
const CLIENTS = [CLIENT, aClient(2), aClient(3)];
const VERIFICATIONS = 60;
/** The creation and renewals of its link. */
const EVENTS = 4;
const T0 = Date.parse('2026-03-10T12:00:00Z');

const uuid = (kind: string, n: number): string =>
  `${kind.repeat(8)}-0000-7000-8000-${String(n).padStart(12, '0')}`;

const endpointOf = (n: number): WebhookEndpoint =>
  webhookEndpoint({
    id: uuid('d', n),
    clientId: (CLIENTS[n % CLIENTS.length] ?? CLIENT).id,
    types: ['verification.created', 'verification.link_renewed'],
    since: new Date(T0 - 1_000),
  });

describeWith(['postgres'], 'eight workers on one database', () => {
  const server = givenPostgres();

  it('deliver every event once to each endpoint, in order, while verifications and endpoints change', {
    timeout: 300_000,
  }, async () => {
    const url = await server.createDatabase();
    const instances = await Promise.all(
      Array.from({ length: WORKERS }, () => createPostgresStorage({ url, poolSize: 3 })),
    );
    onTestFinished(async () => void (await Promise.all(instances.map((storage) => storage.close()))));
    const [first] = instances as [PostgresStorage, ...PostgresStorage[]];
    for (const client of CLIENTS) await first.clients.create({ client, subscription: null });
    const kept = [1, 2, 3, 4, 5, 6].map(endpointOf);
    for (const endpoint of kept) expect(await first.webhooks.add(endpoint)).toEqual({ outcome: 'added' });

    const arrived: { readonly endpointId: string; readonly event: VerificationEvent }[] = [];
    const times = ticking();
    let isWritten = false;

    /** Sends until all is written and nothing waits. Each tenth attempt fails and is repeated. */
    async function work({ webhooks }: Storage, number: number): Promise<void> {
      for (let round = 0; ; round += 1) {
        const wasWritten = isWritten;
        const now = times.next();
        const taken = await webhooks.fanOut({ now, limit: 7 });
        const leaseToken = `${number}-${round}`;
        const until = new Date(now.getTime() + 1e9);
        const leased = await webhooks.leaseEndpoints({ leaseToken, now, until, limit: 2 });
        for (const endpoint of leased) await sendTo(webhooks, endpoint, leaseToken);
        if (wasWritten && taken + leased.length === 0 && (await webhooks.backlog(1)).waiting === 0) return;
      }
    }

    async function sendTo(
      webhooks: Storage['webhooks'],
      { id: endpointId, clientId }: WebhookEndpoint,
      leaseToken: string,
    ): Promise<void> {
      const lease = { clientId, endpointId, leaseToken };
      const due = (await webhooks.due(lease, { now: times.next(), limit: 5, except: [] })) ?? [];
      await Promise.all(
        due.map(async ({ event }) => {
          const at = times.next();
          const isFailure = at.getTime() % 10 === 0;
          if (!isFailure) arrived.push({ endpointId, event });
          const { outcome } = await webhooks.settle(
            lease,
            { eventId: event.id, verificationId: event.verificationId, version: event.version },
            {
              attempt: {
                id: crypto.randomUUID(),
                at,
                durationMs: 1,
                request: '{}',
                status: isFailure ? 500 : 200,
                response: '',
                fault: null,
              },
              settlement: isFailure ? { state: 'waiting', dueAt: at } : { state: 'delivered' },
              pauseIfFailingSince: new Date(0),
              wake: RECOVERY,
              disable: false,
            },
          );
          // Endpoints beside the kept ones come and go.
          if (kept.some(({ id }) => id === endpointId)) expect(outcome).toBe('settled');
        }),
      );
      await webhooks.release(lease);
    }

    async function write(storage: Storage, n: number): Promise<void> {
      const client = CLIENTS[n % CLIENTS.length] ?? CLIENT;
      const request = aCreateRequest(n, { client });
      const event = { ...request.event, at: times.next() };
      expect(await storage.verifications.createCharged({ ...request, event })).toEqual({ outcome: 'created' });
      for (let version = 2; version <= EVENTS; version += 1) {
        const renewed = {
          ...event,
          id: uuid('e', n * 100 + version + 1_000_000),
          version,
          type: 'verification.link_renewed',
          // The clock of every other instance is behind.
          at: new Date(times.next().getTime() - (version % 2) * 20),
        } as const;
        const record = { ...request.record, version, eventCount: version };
        const commit = { record, expectedVersion: version - 1, events: [renewed] };
        expect(await storage.verifications.commit(commit)).toEqual({ outcome: 'committed' });
      }
    }

    /** Changes kept endpoints without effect on what they receive, and adds and removes others. */
    async function change({ webhooks }: Storage): Promise<void> {
      for (let n = 100; !isWritten; n += 1) {
        const other = endpointOf(n);
        await webhooks.add(other);
        const { clientId, id } = kept[n % kept.length] ?? other;
        await webhooks.change(clientId, id, { state: 'paused' }, times.next());
        await webhooks.change(other.clientId, other.id, { state: 'disabled' }, times.next());
        await webhooks.change(clientId, id, { state: 'active' }, times.next());
        await webhooks.resend({
          clientId: other.clientId,
          endpointId: other.id,
          which: { since: new Date(T0) },
          now: times.next(),
        });
        await webhooks.forget({ before: new Date(T0), limit: 10 });
        await webhooks.remove(other.clientId, other.id);
      }
    }

    const writing = Promise.all(
      Array.from({ length: VERIFICATIONS }, (_, n) => write(instances[n % WORKERS] ?? first, n)),
    ).finally(() => {
      isWritten = true;
    });
    await Promise.all([writing, change(first), ...instances.map(work)]);

    for (const { id, clientId } of kept) {
      const received = arrived.filter(({ endpointId }) => endpointId === id).map(({ event }) => event);
      const ofClient = Array.from({ length: VERIFICATIONS }, (_, n) => n).filter(
        (n) => (CLIENTS[n % CLIENTS.length] ?? CLIENT).id === clientId,
      );
      expect(new Set(received.map((event) => event.id)).size).toBe(received.length);
      expect(received).toHaveLength(ofClient.length * EVENTS);
      const versions = Map.groupBy(received, ({ verificationId }) => verificationId);
      for (const events of versions.values()) expect(events.map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    }
  });
});

/** A clock that every call moves on by a millisecond. */
function ticking(): { next(): Date } {
  let ms = T0;
  return {
    next: () => {
      ms += 1;
      return new Date(ms);
    },
  };
}
