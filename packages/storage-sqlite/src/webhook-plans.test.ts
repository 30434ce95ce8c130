import { webhookEndpoint } from '@countersign/test-support/records/webhook-endpoint';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase } from '../test-support/given-database.ts';
import { planOf as planOfFile } from '../test-support/plan-of.ts';
import { CLIENT } from '../test-support/records.ts';
import type { Session } from './connection/session.ts';
import { createWebhookRepository } from './repositories/webhooks/webhook-repository.ts';
import { createSqliteStorage } from './sqlite-storage.ts';

const [NOW, LATER] = [new Date('2026-03-11T00:00:00Z'), new Date('2026-03-12T00:00:00Z')];
const ENDPOINT = { clientId: CLIENT.id, endpointId: 'endpoint-1' };
const LEASE = { ...ENDPOINT, leaseToken: 'token' };

const UNSENT = 'verification_events_unsent (client_id=? AND at>?)';
const LOG = 'webhook_deliveries_log (endpoint_id=? AND state=?';
const EARLIER = 'webhook_deliveries_verification (verification_id=? AND version<?)';
const PAGE_OF_LOG = `SEARCH webhook_deliveries USING INDEX ${LOG} AND (at,event_id)<(?,?))`;

it.each([
  [
    'events to fan out',
    (session: Session) => createWebhookRepository(session).fanOut({ now: NOW, limit: 10 }),
    [UNSENT, 'verification_events_1 (verification_id=? AND version<?)'],
  ],
  [
    'endpoints that are due',
    (session: Session) =>
      createWebhookRepository(session).leaseEndpoints({ leaseToken: 'token', now: NOW, until: LATER, limit: 10 }),
    ['webhook_endpoints_due (due_at>? AND due_at<?)'],
  ],
  [
    'deliveries that are due',
    (session: Session) => createWebhookRepository(session).due(LEASE, { now: NOW, limit: 10, except: ['a'] }),
    ['webhook_deliveries_due (endpoint_id=? AND due_at>? AND due_at<?)', EARLIER],
  ],
  [
    'a page of the log',
    (session: Session) =>
      createWebhookRepository(session).deliveries({ ...ENDPOINT, state: undefined, after: undefined, limit: 10 }),
    [PAGE_OF_LOG],
  ],
  [
    'deliveries to send again',
    (session: Session) =>
      createWebhookRepository(session).resend({ ...ENDPOINT, which: { since: NOW }, now: NOW }),
    [`${LOG} AND at>?)`, EARLIER],
  ],
  [
    'the backlog',
    (session: Session) => createWebhookRepository(session).backlog(1_000),
    [UNSENT, `COVERING INDEX ${LOG})`],
  ],
])('query plan: %s use their index', async (_, read, ways) => {
  const plan = await planOf(read);

  for (const way of ways) expect(plan).toContainEqual(expect.stringContaining(way));
  // Endpoints are few: at most ten a client.
  const scans = plan.filter((step) =>
    /^SCAN (?:verification|webhook_deliveries|webhook_attempts|deliveries|events)/.test(step),
  );
  expect(scans).toEqual([]);
});

it.each([
  [
    'deliveries that are due',
    (session: Session) => createWebhookRepository(session).due(LEASE, { now: NOW, limit: 10, except: [] }),
  ],
  [
    'a page of the log',
    (session: Session) =>
      createWebhookRepository(session).deliveries({ ...ENDPOINT, state: 'failed', after: undefined, limit: 10 }),
  ],
])('query plan: %s are read in the order of the index', async (_, read) => {
  expect((await planOf(read)).filter((step) => step.includes('B-TREE'))).toEqual([]);
});

/** The plan of an operation on a database with an endpoint, whose lease is held, and a delivery. */
async function planOf(read: (session: Session) => Promise<unknown>): Promise<string[]> {
  const file = await givenDatabase(onTestFinished, { verifications: 2 });
  const storage = await createSqliteStorage({ file });
  await storage.webhooks.add(webhookEndpoint({ id: ENDPOINT.endpointId, clientId: CLIENT.id }));
  await storage.webhooks.fanOut({ now: NOW, limit: 1 });
  await storage.webhooks.leaseEndpoints({ leaseToken: LEASE.leaseToken, now: NOW, until: NOW, limit: 1 });
  await storage.close();
  return planOfFile(onTestFinished, file, read);
}
