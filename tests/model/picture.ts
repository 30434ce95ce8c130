import { type AuditEntry, isCountersignError, type Principal, STATUSES } from '@countersign/domain';
import { WEBHOOK_TYPES, type WebhookEndpoint } from '@countersign/domain/webhooks';
import { AUDIT } from '@countersign/test-support/records/queries';
import { webhookEndpoint } from '@countersign/test-support/records/webhook-endpoint';
import { reviewAs } from '@countersign/test-support/service/operations';
import { exportsOf } from './exports.ts';
import { handOversOf } from './hand-overs.ts';
import { indexOf, keptWarningsOf } from './indexes.ts';
import { drainMails } from './mails.ts';
import { readingsOf } from './readings.ts';
import { retentionOf } from './retention.ts';
import { takeWebhooks } from './webhooks.ts';
import type { World } from './world.ts';

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/g;
const LINK = /\/verify\/[^"\s]+/g;

/** Values that are random, that are written in the background, or that number audit entries and erasures, which all runs share. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'value',
  'hash',
  'codeHash',
  'display',
  'keyDisplay',
  'lastUsedAt',
  'sequence',
  'previousHash',
  'of',
  'number',
  'erasureNumber',
]);

/**
 * Makes a value comparable: keys and sets in one order, dates as text, ids of verifications and keys by their number among those of
 * their client, and any other id as `id`. Calls at once receive ids in another order.
 */
export function comparable(value: unknown, { clients }: World): unknown {
  const names = new Map<string, string>();
  for (const [index, client] of clients.entries()) {
    names.set(client.id, `client ${index}`);
    for (const [n, id] of client.verifications.entries()) names.set(id, `verification ${index}.${n}`);
    for (const [n, { id }] of client.keys.entries()) names.set(id, `key ${index}.${n}`);
  }
  const text = (given: string) =>
    given.replaceAll(LINK, '/verify/link').replaceAll(ID, (id) => names.get(id) ?? 'id');
  const walk = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given);
    if (given instanceof Date) return given.toISOString();
    if (Array.isArray(given)) return given.map(walk);
    if (given instanceof Set) return [...given].map((each) => JSON.stringify(walk(each))).sort();
    if (given === null || typeof given !== 'object') return given;
    const entries = Object.entries(given).filter(([key, each]) => !LEFT_OUT.has(key) && each !== undefined);
    return Object.fromEntries(
      entries.map(([key, each]) => [text(key), walk(each)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  };
  return walk(value);
}

/** The comparable outcome of a command: its result, or the code of its refusal. Faults are thrown. */
export async function outcomeOf(world: World, run: () => Promise<unknown>): Promise<() => unknown> {
  try {
    const result = await run();
    // Compared after all calls of a turn: each can name what another one made.
    return () => comparable(shownOf(result), world);
  } catch (error) {
    if (!isCountersignError(error)) throw error;
    return () => error.code;
  }
}

/** A verification as its subject reads it holds its flow, which is code. */
function shownOf(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('flow' in result)) return result;
  const { flow: _, ...shown } = result;
  return shown;
}

const MONTHS = ['2026-03', '2026-04', '2026-05', '2026-06'] as const;
const FAR = new Date('2099-01-01T00:00:00.000Z');

const PROBE = 'ffffffff-0000-7000-8000-000000000000';

/** An endpoint that receives every unsent event of the client. */
function probeOf(clientId: string): WebhookEndpoint {
  return webhookEndpoint({ id: PROBE, clientId, types: WEBHOOK_TYPES });
}

/** Everything that can be read of the clients of a sequence, comparable. */
export async function pictureOf(world: World): Promise<unknown> {
  const { storage, sealed, countersign, clients } = world;
  const pictures: unknown[] = [];
  for (const { id: clientId, mode, verifications } of clients) {
    const principal: Principal = {
      clientId,
      keyId: '',
      permissions: ['*'],
      subscription: null,
      mode,
      linkDays: null,
    };
    const query = { limit: 100, sortBy: 'subjectReference', sortOrder: 'asc' } as const;
    const review = reviewAs(countersign, 'reviewer-0');
    const warnings = await keptWarningsOf(sealed, verifications);
    const cases: unknown[] = [];
    for (const id of verifications) {
      // Opening begins readings in the background.
      await countersign.readings.readAgain((await review.open(id)).verification);
      const { verification, events, warnings, readings } = await review.open(id, { allEvents: true });
      cases.push({
        details: await countersign.verifications.details(principal, id),
        whole: shownOf(verification),
      });
      cases.push({ events, warnings, readings });
    }
    const queues: unknown[] = [];
    for (const status of STATUSES) queues.push(await review.queue({ status, clientId, limit: 100 }));
    const used: number[] = [];
    for (const month of MONTHS) used.push(await storage.clients.usedIn(clientId, month));
    const audit = { ...AUDIT, clientId, outcome: 'allowed' } as const;
    pictures.push({
      counts: new Set(await storage.verifications.counts(clientId)),
      differingCounts: await storage.counters.differences(clientId),
      client: await storage.clients.find(clientId),
      used,
      appearance: await appearanceOf(storage, clientId),
      keys: new Set(await countersign.apiKeys.list(clientId)),
      list: await countersign.verifications.list(principal, query),
      cases,
      queues,
      audit: auditPicture(await storage.audit.list({ ...audit, limit: 10_000 }), world),
      exports: await exportsOf(storage, clientId, verifications),
      handOvers: await handOversOf(storage, clientId, verifications),
      readings: await readingsOf(storage, clientId, verifications),
      warnings,
      index: await indexOf(sealed, countersign, clientId),
      retention: await retentionOf(world, clientId),
      webhooks: { endpoints: await takeWebhooks(world, clientId), unsent: await unsentOf(storage, clientId) },
    });
  }
  const mails = await drainMails(storage);
  return comparable({ pictures, mails }, world);
}

/**
 * Makes audit entries comparable. Of requests of API keys that repeat each other at the same time, each leaves an entry that reads the
 * verification before the first has changed it, which is chance: equal entries of theirs count once.
 */
function auditPicture(entries: readonly AuditEntry[], world: World): unknown {
  const isOfKey = ({ actor }: AuditEntry) => actor.kind === 'api_key';
  const ofKeys = entries.filter(isOfKey).map((entry) => JSON.stringify(comparable(entry, world)));
  return { ofKeys: [...new Set(ofKeys)].sort(), others: new Set(entries.filter((entry) => !isOfKey(entry))) };
}

/** Reads the appearance of a client and the bytes of its logo. */
async function appearanceOf({ appearances }: World['storage'], clientId: string): Promise<unknown> {
  const appearance = await appearances.find(clientId);
  const logoId = appearance?.logo?.id;
  return { appearance, content: logoId === undefined ? null : await appearances.logoContent(clientId, logoId) };
}

/** Reads the events of a client that are unsent. They are fanned out then. */
async function unsentOf({ webhooks }: World['storage'], clientId: string): Promise<unknown> {
  await webhooks.add(probeOf(clientId));
  while ((await webhooks.fanOut({ now: FAR, limit: 1_000 })) > 0);
  const query = { clientId, endpointId: PROBE, state: undefined, after: undefined, limit: 10_000 };
  const unsent = new Set(await webhooks.deliveries(query));
  await webhooks.remove(clientId, PROBE);
  return unsent;
}
