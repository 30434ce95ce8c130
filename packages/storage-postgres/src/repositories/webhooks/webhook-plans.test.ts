// Loads many events: the planner chooses other plans for few.
import { RECOVERY } from '@countersign/domain/webhooks';
import { describeWith } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenManyRows, planOf } from '../../../test-support/plans.ts';
import { CLIENT, verificationId } from '../../../test-support/records.ts';
import type { Session } from '../../connection/session.ts';
import { createWebhookRepository } from './webhook-repository.ts';

const now = new Date('2026-03-10T12:00:00Z');
const lease = { clientId: CLIENT.id, endpointId: CLIENT.id, leaseToken: 'token' };

type Use = (webhooks: ReturnType<typeof createWebhookRepository>) => Promise<unknown>;

describeWith(['postgres'], 'webhooks among many events', () => {
  let database: Awaited<ReturnType<typeof givenManyRows>>;
  let raw: postgres.Sql;

  beforeAll(async () => {
    database = await givenManyRows(MANY_ROWS);
    ({ raw } = database);
  });
  afterAll(() => database.stop());

  const ofVerification = { eventId: verificationId(1), verificationId: verificationId(1), version: 1 };
  const attempt = { id: CLIENT.id, at: now, durationMs: 1, request: '', status: 200, response: '', fault: null };
  const log = { clientId: CLIENT.id, endpointId: CLIENT.id, state: undefined, limit: 20 };
  const settled = (settlement: { state: 'delivered' } | { state: 'waiting'; dueAt: Date }): Use => {
    const result = { attempt, settlement, pauseIfFailingSince: now, wake: RECOVERY, disable: false };
    return (webhooks) => webhooks.settle(lease, ofVerification, result);
  };

  it.each<[string, Use, string[]]>([
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
      'what is due',
      (webhooks) => webhooks.due(lease, { now, limit: 10, except: [] }),
      ['webhook_endpoints_pk', 'webhook_deliveries_due', 'webhook_deliveries_versions', 'verification_events_pk'],
    ],
    ['a delivered webhook', settled({ state: 'delivered' }), ['webhook_endpoints_pk', 'webhook_deliveries_']],
    [
      'a retry',
      settled({ state: 'waiting', dueAt: now }),
      ['webhook_endpoints_pk', 'webhook_deliveries_versions'],
    ],
    [
      'a release',
      (webhooks) => webhooks.release(lease),
      ['webhook_deliveries_due', 'webhook_deliveries_versions'],
    ],
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
  ])('%s scans neither all events nor all deliveries', async (_, use, indexes) => {
    const plan = await planOf(raw, (session: Session) => use(createWebhookRepository(session)));

    for (const index of indexes) expect(plan).toMatch(new RegExp(`(using|on) ${index}`));
    expect(plan).not.toMatch(
      /Seq Scan on (verification_events|verifications|webhook_deliveries|webhook_attempts)/,
    );
  });
});

/**
 * 300 clients with 100 unsent events each; two hundred of them have an endpoint, with which they began after half of their events.
 * Half of their deliveries wait.
 */
const MANY_ROWS = `
  insert into clients select ('cccccccc-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Client', now()
  from generate_series(1, 300) n;
  insert into verifications (client_id, id, type, subject_reference, status, requested_at, current_step, version,
    link_version, link_expires_at, metadata, answers, review_data, flow_version, event_count)
  select id, ('aaaaaaaa-0000-7000-8000-' || lpad((row_number() over ())::text, 12, '0'))::uuid, 'kyc', 'subject-' || n,
    'pending', now(), 0, 1, 1, now(), '{}', '{}', '{}', 1, 1
  from clients, generate_series(1, 100) n;
  insert into verification_events (client_id, id, verification_id, version, type, status, at, actor_kind, data, unsent)
  select client_id, id, id, 1, 'verification.created', 'pending', timestamptz '2026-03-10Z' + n * interval '1 s', 'api_key',
    '{}', true
  from (select *, row_number() over (partition by client_id) as n from verifications) as one;
  insert into webhook_endpoints (client_id, id, url, name, types, state, since, created_at, secret, slot, due_at,
    lease_token, leased_until)
  select id, id, 'https://shop.example', '', '["verification.created"]', 'active', timestamptz '2026-03-10T00:00:50Z', now(),
    'whsec_', 1, now(), 'token', now()
  from clients order by id limit 200;
  insert into webhook_deliveries
  select events.client_id, endpoints.id, events.id, verification_id, version, 'verification.created', at,
    case when random() < 0.9 then 'delivered' else 'failed' end, 1, null
  from verification_events events join webhook_endpoints endpoints on endpoints.client_id = events.client_id;
  insert into webhook_deliveries
  select client_id, endpoint_id, gen_random_uuid(), verification_id, n, 'verification.created', at,
    case when n < 5 then 'delivered' else 'waiting' end, 1, case when n < 5 then null else at end
  from webhook_deliveries, generate_series(1, 10) n;
  insert into webhook_attempts
  select client_id, endpoint_id, event_id, event_id, at, 1, '{}', 200, '', null from webhook_deliveries;
  analyze`;
