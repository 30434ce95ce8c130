/**
 * Clients, of which up to twenty have verifications, most of them decided and most events delivered. Webhooks of each were sent
 * and are disabled. As many other verifications were erased.
 * @param verifications of each of the twenty
 */
export function rowsOf({ clients, verifications }: { clients: number; verifications: number }): string {
  const all = Math.min(clients, 20) * verifications;
  return `
  insert into clients select ('cccccccc-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Client', now()
  from generate_series(1, ${clients}) n;
  insert into subscriptions select id, 'standard', 'active', null, now(), null from clients;
  insert into api_keys select id, id, '', sha256(id::text::bytea), '', '["*"]', now(), null, null, null, 1 from clients;
  insert into verifications
  select id, ('aaaaaaaa-0000-7000-8000-' || lpad((n * 20 + row_number() over ())::text, 12, '0'))::uuid, 'kyc',
    'subject-' || n, case when n % 10 = 0 then 'pending' else 'approved' end, now() - n * interval '1 minute',
    case when n % 10 = 0 then null else now() end, 0, 1, 1, now(), 'key-' || n, 'x', '{}', '{}', '{}',
    null, null, null, null, null, null, 1, 1
  from (select * from clients order by id limit 20) as busy, generate_series(1, ${verifications}) n;
  update verifications set submitted_at = requested_at + interval '1 h' where status <> 'pending';
  update verifications set status = 'submitted', resolved_at = null, claimed_by = 'reviewer-' || n % 3,
    claimed_at = now() from (select id as one, row_number() over () as n from verifications where status = 'approved') as each
  where id = one and n % 20 = 0;
  update verifications set claimed_by = null, claimed_at = null where claimed_by = 'reviewer-0';
  update verifications set is_resubmitted = true where status = 'submitted' and subject_reference like '%0';
  update clients set sandbox = true where id in (select id from clients order by id limit 5);
  update verifications set sandbox_outcome = 'approved' where status = 'pending' and idempotency_key like 'key-%50';
  insert into audit_entries
  select n, now() - (${all} - n) * interval '1 minute', 'team_member', 'staff-' || n % 500, null, case when n % 300 = 0 then 'team.remove' else 'api_keys.create' end,
    case when n % 300 = 7 then 'failed' else 'allowed' end, 'client-' || n % 500, null, '{}', nullif(n - 1, 0),
    decode(lpad(to_hex(n - 1), 64, '0'), 'hex'), decode(lpad(to_hex(n), 64, '0'), 'hex') from generate_series(1, ${all}) n;
  update verifications set data_key_wrapped_by = 'old', data_key = 'wrapped' where erasure_number is null;
  insert into verification_events
  select client_id, id, id, 1, 'verification.created', 'pending', now() - n * interval '1 s', 'api_key', null, '{}', now(),
    case when n % 500 = 0 then 'token' end, 0, case when n % 5 = 0 then null else now() end
  from (select *, row_number() over () as n from verifications) as one;
  update verifications set retention_check_at = resolved_at + interval '5 years' where resolved_at is not null;
  insert into erasures
  select ('cccccccc-0000-7000-8000-' || lpad((n % 20 + 1)::text, 12, '0'))::uuid, n + 1000, gen_random_uuid(),
    now() - (${all} - n) * interval '1 minute', 'rejected', 7, 4, 20, decode(repeat('00', 32), 'hex'), now() from generate_series(1, ${all}) n;
  insert into webhook_endpoints (client_id, id, url, name, types, state, since, created_at, secret, slot)
  select distinct client_id, client_id, 'https://shop.example', '', '[]'::jsonb, 'disabled', now(), now(), 'whsec_', 1 from verifications;
  insert into webhook_deliveries
  select client_id, client_id, id, verification_id, version, 'verification.created', at, 'delivered', 1, null from verification_events;
  insert into webhook_attempts
  select client_id, endpoint_id, event_id, event_id, at, 1, '{}', 200, '', null from webhook_deliveries;
  insert into index_entries
  select client_id, 'email', 'label-' || n, id from (select *, row_number() over () as n from verifications) as one`;
}

/** Two thousand clients; twenty have a thousand verifications each. */
export const MANY_ROWS: string = rowsOf({ clients: 2_000, verifications: 1_000 });
