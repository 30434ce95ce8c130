// Loads many events: the planner chooses other plans for few.
import { describeWith } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectIndexes, FILL_TIMEOUT_MS, givenManyRows, planOf } from '../../../test-support/plans.ts';
import { WEBHOOK_QUERIES } from '../../../test-support/queries/webhooks.ts';

describeWith(['postgres'], 'webhooks among many events', () => {
  let database: Awaited<ReturnType<typeof givenManyRows>>;
  let raw: postgres.Sql;

  beforeAll(async () => {
    database = await givenManyRows(MANY_ROWS);
    ({ raw } = database);
  }, FILL_TIMEOUT_MS);
  afterAll(() => database.stop());

  it.each(WEBHOOK_QUERIES)('%s scans neither all events nor all deliveries', async (_, use, indexes) => {
    const plan = await planOf(raw, use);

    expectIndexes(plan, indexes);
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
