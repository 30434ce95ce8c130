import { RECOVERY } from '@countersign/domain/webhooks';
import { createWebhookRepository } from '../../src/repositories/webhooks/webhook-repository.ts';
import type { PlannedQuery } from '../plans.ts';
import { CLIENT, verificationId } from '../records.ts';

type Use = (webhooks: ReturnType<typeof createWebhookRepository>) => Promise<unknown>;

const now = new Date('2026-03-10T12:00:00Z');
const lease = { clientId: CLIENT.id, endpointId: CLIENT.id, leaseToken: 'token' };
const ofVerification = { eventId: verificationId(1), verificationId: verificationId(1), version: 1 };
const attempt = { id: CLIENT.id, at: now, durationMs: 1, request: '', status: 200, response: '', fault: null };
const log = { clientId: CLIENT.id, endpointId: CLIENT.id, state: undefined, limit: 20 };
const settled = (settlement: { state: 'delivered' } | { state: 'waiting'; dueAt: Date }): Use => {
  const result = { attempt, settlement, pauseIfFailingSince: now, wake: RECOVERY, disable: false };
  return (webhooks) => webhooks.settle(lease, ofVerification, result);
};

const QUERIES: readonly (readonly [string, Use, string[]])[] = [
  [
    'fan-out',
    (webhooks) => webhooks.fanOut({ now, limit: 100 }),
    ['verification_events_unsent', 'verification_events_pk', 'webhook_deliveries_versions'],
  ],
  [
    'the lease of endpoints',
    (webhooks) => webhooks.leaseEndpoints({ leaseToken: 'token', now, until: now, limit: 10 }),
    ['webhook_endpoints_due', 'webhook_deliveries_due'],
  ],
  [
    'due webhooks',
    (webhooks) => webhooks.due(lease, { now, limit: 10, except: [] }),
    ['webhook_endpoints_pk', 'webhook_deliveries_due', 'webhook_deliveries_versions', 'verification_events_pk'],
  ],
  ['a delivered webhook', settled({ state: 'delivered' }), ['webhook_endpoints_pk', 'webhook_deliveries_']],
  [
    'a retry',
    settled({ state: 'waiting', dueAt: now }),
    ['webhook_endpoints_pk', 'webhook_deliveries_versions', 'webhook_deliveries_pk'],
  ],
  ['a release', (webhooks) => webhooks.release(lease), ['webhook_deliveries_due', 'webhook_deliveries_versions']],
  ['the log', (webhooks) => webhooks.deliveries({ ...log, after: undefined }), ['webhook_deliveries_log']],
  [
    'a later page of the log',
    (webhooks) => webhooks.deliveries({ ...log, after: { at: now, eventId: CLIENT.id } }),
    ['webhook_deliveries_log'],
  ],
  [
    'the attempts of a delivery',
    (webhooks) => webhooks.attempts(CLIENT.id, CLIENT.id, verificationId(1)),
    ['webhook_deliveries_pk'],
  ],
  [
    'a delivery that is sent again',
    (webhooks) => webhooks.resend({ ...lease, which: { eventId: verificationId(1) }, now }),
    ['webhook_deliveries_pk'],
  ],
  ['old deliveries', (webhooks) => webhooks.forget({ before: now, limit: 100 }), ['webhook_deliveries_log']],
  [
    'the backlog',
    (webhooks) => webhooks.backlog(1_000),
    ['webhook_deliveries_(log|due)', 'verification_events_unsent'],
  ],
];

export const WEBHOOK_QUERIES: readonly PlannedQuery[] = QUERIES.map(([title, use, indexes]) => [
  title,
  (session) => use(createWebhookRepository(session)),
  indexes,
]);
