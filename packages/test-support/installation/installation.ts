import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { temporaryFolder } from '../processes/temporary-folder.ts';

/** Creates an installation with this number of verifications. @returns its database file */
export async function newInstallation(verifications: number): Promise<string> {
  const file = join(temporaryFolder(), 'countersign.db');
  await (await createSqliteStorage({ file })).close();
  fillInstallation(file, { verifications });
  return file;
}

/**
 * Fills a database with the data of years: clients with and without subscriptions, keys and verifications in each state,
 * usage, events, webhooks and audit entries. Uses plain SQL, because a hundred thousand commits would take minutes.
 */
function fillInstallation(file: string, { verifications }: { verifications: number }): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(`
      BEGIN IMMEDIATE;
      ${CLIENTS}
      ${APPEARANCES}
      ${KEYS}
      ${VERIFICATIONS.replace('$count', String(verifications))}
      ${EVENTS}
      ${WEBHOOKS}
      ${USAGE}
      ${RETENTION}
      ${EXPORTS}
      ${HAND_OVERS}
      ${READINGS}
      ${INDEXES}
      ${MAILS}
      ${AUDIT}
      COMMIT;`);
  } finally {
    database.close();
  }
}

const CLIENT_COUNT = 7;
/** More than one batch of a copy. */
const AUDIT_LINES = 1_234;
const START = Date.UTC(2025, 0, 31, 23, 59, 59, 999);

/** Builds an id that sorts randomly among the others. */
const id = (kind: string, n: string): string =>
  `printf('${kind}%07x-%04x-7000-8000-%012x', (${n} * 7919) % 268435456, ${n} % 65536, ${n})`;
const numbers = (count: number | string): string =>
  `numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;

const CLIENTS = `
  WITH RECURSIVE ${numbers(CLIENT_COUNT)}
  INSERT INTO clients (id, name, created_at, test_of, sandbox, name_key, return_addresses, file_access)
  SELECT ${id('c', 'n')}, 'Client ' || n || ' “Müller & 株式会社” 😀', ${START} + n, iif(n = 3, ${id('c', '2')}, NULL), n = 3,
    'client ' || n || ' “muller & 株式会社” 😀', iif(n % 2, json_array('https://shop.example/' || n, 'https://a.example/'), '[]'), n % 3 = 1
  FROM numbers;
  WITH RECURSIVE ${numbers(CLIENT_COUNT)}
  INSERT INTO subscriptions
  SELECT ${id('c', 'n')}, iif(n % 2, 'standard', 'enterprise'), iif(n % 3, 'active', 'canceled'),
    iif(n % 2, 1000000 + n, NULL), ${START} + n, iif(n % 4, NULL, ${START} + 86400000 * n)
  FROM numbers WHERE n < ${CLIENT_COUNT};`;

/** Appearances of some clients, with and without details and logos. */
const APPEARANCES = `
  WITH RECURSIVE ${numbers(CLIENT_COUNT)}
  INSERT INTO client_faces (client_id, display_name, colour, support_address, privacy_address, logo_id, logo_width, logo_height, logo)
  SELECT ${id('c', 'n')}, iif(n % 3, 'Zoë & “Söhne” ' || n, NULL), iif(n % 2, '#1d4f91', NULL), iif(n % 2, 'help@shop.example', NULL),
    iif(n % 3, 'https://shop.example/privacy', NULL), iif(n % 2, printf('%064x', n), NULL), iif(n % 2, n, NULL), iif(n % 2, 2 * n, NULL),
    iif(n % 2, CAST(zeroblob(n) || x'00ff89' AS BLOB), NULL)
  FROM numbers WHERE n < ${CLIENT_COUNT};`;

/** For each client: nine active keys, three expired (one still holds its slot), two revoked. */
const KEYS = `
  WITH RECURSIVE ${numbers(CLIENT_COUNT * 14)}, keys AS (SELECT n, n % 14 AS k, 1 + (n - 1) / 14 AS c FROM numbers)
  INSERT INTO api_keys
  SELECT ${id('c', 'c')}, ${id('b', 'n')}, 'key ' || n, printf('%064x', n), 'csk_' || n || '…' || n,
    CASE k % 3 WHEN 0 THEN '["*"]' WHEN 1 THEN '["verifications:read"]' ELSE '["verifications:create","verifications:read"]' END,
    ${START} + n,
    CASE WHEN k < 8 THEN NULL WHEN k = 8 THEN 4102444800000 WHEN k < 12 THEN ${START} + 1000 * n ELSE NULL END,
    iif(k > 11, ${START} + 500 * n, NULL), iif(k % 2, ${START} + 700 * n, NULL),
    iif(k < 10, k + 1, NULL), iif(k % 4, 'staff ' || n, NULL), iif(k = 8, 7, NULL),
    iif(k % 5, NULL, '["192.0.2.0/24","2001:db8::/32"]')
  FROM keys;`;

const VERIFICATIONS = `
  WITH RECURSIVE ${numbers('$count')}, some AS (SELECT n, n % 5 AS state, 1 + (n * 31) % ${CLIENT_COUNT} AS c FROM numbers)
  INSERT INTO verifications (client_id, id, type, subject_reference, status, requested_at, resolved_at, current_step, version,
    link_version, link_expires_at, idempotency_key, idempotency_fingerprint, metadata, answers, review_data, submitted_at,
    claimed_by, claimed_at, data_key_wrapped_by, data_key, sandbox_outcome, flow_version, event_count, return_url, locale,
    relationship_ended_at, held_at, held_by, held_until, erasure_requested_at, erased_at, retention_check_at, notify)
  SELECT ${id('c', 'c')}, ${id('a', 'n')}, iif(n % 3, 'kyc', 'kyb'), 'user_' || n || iif(n % 10, '', ' ä😀'),
    CASE state WHEN 0 THEN 'pending' WHEN 1 THEN 'submitted' WHEN 2 THEN 'action_needed' WHEN 3 THEN 'approved' ELSE 'rejected' END,
    ${START} + n * 1000, iif(state > 2, ${START} + n * 2000, NULL), state, 1 + (state > 0), 1 + (state = 2),
    ${START} + n * 1000 + 2592000000, iif(n % 4, NULL, 'order ' || n), iif(n % 4, NULL, printf('%064x', n)),
    json_object('z', n, 'a', json_array(n / 7.0, json('true'), NULL, json_object('größe', 1e21)), 'text', '“' || n || '” \\ 😀'),
    iif(state, json_object('steps', json_object('consent', json_object('answers', json_object('accepted', json('true')), 'completedAt', '2026-01-01T00:00:00.000Z', 'version', 2))), '{}'),
    CASE state
      WHEN 1 THEN json_object('submittedAt', '2026-01-01T00:00:00.000Z')
      WHEN 2 THEN json_object('request', json_object('message', 'Näher', 'items', json_array()), 'awaiting', json_array())
      WHEN 3 THEN json_object('decision', json_object('outcome', 'approved', 'reasonCodes', json_array(), 'message', NULL, 'decidedAt', '2026-01-01T00:00:00.000Z'))
      WHEN 4 THEN json_object('decision', json_object('outcome', 'rejected', 'reasonCodes', json_array('other'), 'message', 'No', 'decidedAt', '2026-01-01T00:00:00.000Z'))
      ELSE '{}' END,
    iif(state, ${START} + n * 1500 + n % 1000, NULL),
    iif(state = 1 AND n % 2, 'reviewer ' || n, NULL), iif(state = 1 AND n % 2, ${START} + n * 1600, NULL),
    iif(n % 3, 'key ' || n % 2, NULL), iif(n % 3, printf('%064x', n) || '-_', NULL),
    iif(n % 97 = 0 AND state < 2, iif(n % 2, 'approved', 'action_needed'), NULL), 1, 1 + (state > 0),
    iif(n % 6, NULL, 'https://shop.example/' || n || '?order=' || n), iif(n % 5, NULL, 'de-AT'),
    iif(state = 3 AND n % 2, ${START} + n * 2500, NULL), iif(n % 7 = 1, ${START} + n * 2600, NULL),
    iif(n % 7 = 1 AND n % 2, 'owner ' || n, NULL), iif(n % 7 = 1 AND n % 3, ${START} + n * 2600 + 86400000, NULL),
    iif(state > 2 AND n % 8 = 1, ${START} + n * 2700, NULL), iif(state > 2 AND n % 9 = 2 AND n % 7 <> 1, ${START} + n * 2800, NULL),
    iif(state > 2 AND n % 4, ${START} + n * 3000, NULL), iif(n % 6 = 1, json_object('email', 'größe+' || n || '@example.org'), NULL)
  FROM some;`;

/** Some of them still have to be fanned out. */
const EVENTS = `
  INSERT INTO verification_events (client_id, id, verification_id, version, type, status, at, actor_kind, actor_id, data,
    available_at, attempts, unsent)
  SELECT client_id, 'd' || substr(id, 2), id, 1, 'verification.created', 'pending', requested_at, 'api_key', NULL,
    '{}', requested_at, 0, iif(rowid % 3, NULL, 1)
  FROM verifications;
  INSERT INTO verification_events (client_id, id, verification_id, version, type, status, at, actor_kind, actor_id, data,
    available_at, attempts, unsent)
  SELECT client_id, 'e' || substr(id, 2), id, 2, 'verification.submitted', status, requested_at + 500, 'subject', 'who',
    json_object('n', rowid), requested_at + 500, 0, iif(rowid % 5, 1, NULL)
  FROM verifications WHERE version > 1;`;

/** An endpoint of each client, with deliveries in each state and their attempts. */
const WEBHOOKS = `
  WITH RECURSIVE ${numbers(CLIENT_COUNT)}
  INSERT INTO webhook_endpoints (client_id, id, slot, url, name, types, state, since, created_at, created_by, secret,
    secret_wrapped_by, previous_secret, previous_secret_wrapped_by, previous_secret_valid_until, failing_since)
  SELECT ${id('c', 'n')}, ${id('f', 'n')}, 1 + n, 'https://receiver.example/' || n, '“Empfänger” ' || n,
    '["verification.created","verification.submitted"]', iif(n % 3, 'active', 'paused'), ${START} + n, ${START} + n,
    iif(n % 2, 'staff ' || n, NULL), 'whsec_' || n, iif(n % 2, 'key 1', NULL), iif(n % 4, 'old_' || n, NULL), NULL,
    iif(n % 4, ${START} + n, NULL), iif(n % 3, NULL, ${START} + n)
  FROM numbers;
  INSERT INTO webhook_deliveries (client_id, endpoint_id, event_id, verification_id, version, type, at, state, attempts, due_at)
  SELECT event.client_id, endpoint.id, event.id, event.verification_id, 1, 'verification.created', event.at,
    CASE event.rowid % 4 WHEN 0 THEN 'waiting' WHEN 1 THEN 'failed' ELSE 'delivered' END, 1,
    iif(event.rowid % 4, NULL, event.at + 5000)
  FROM verification_events AS event JOIN webhook_endpoints AS endpoint USING (client_id)
  WHERE event.version = 1 AND event.unsent IS NULL;
  INSERT INTO webhook_attempts (client_id, endpoint_id, event_id, id, at, duration_ms, request, status, answer, fault)
  SELECT client_id, endpoint_id, event_id, '7' || substr(event_id, 2), at + 100, 12, '{"größe":1}',
    iif(rowid % 2, 500, NULL), iif(rowid % 2, 'Fehler 😀', NULL), iif(rowid % 2, NULL, 'connection reset')
  FROM webhook_deliveries;`;

const USAGE = `
  INSERT INTO usage
  SELECT client_id, strftime('%Y-%m', requested_at / 1000, 'unixepoch'), count(*), count(*) + 1000
  FROM verifications GROUP BY 1, 2
  ON CONFLICT DO UPDATE SET used = excluded.used, allowance = excluded.allowance;`;

/** Policies of some clients, receipts of verifications that are no longer known, and a run of the job during a pause. */
const RETENTION = `
  WITH RECURSIVE ${numbers(CLIENT_COUNT)}
  INSERT INTO client_retention (client_id, policy, planned_by, planned_after)
  SELECT ${id('c', 'n')}, iif(n % 3, json_object('approvedAfterEnd', 'P' || (5 + n) || 'Y', 'approvedLongest', 'P20Y',
    'rejected', 'P6Y', 'unfinished', 'P90D', 'replacedUploads', 'P30D'), NULL), 'rules', ${id('a', 'n')}
  FROM numbers WHERE n < ${CLIENT_COUNT};
  WITH RECURSIVE ${numbers(40)}
  INSERT INTO erasures (client_id, number, verification_id, at, rule, steps, files, events, hash, finished_at)
  SELECT ${id('c', '(n % 7 + 1)')}, n, ${id('9', 'n')}, ${START} + n * 900, iif(n % 2, 'requested', 'approved_longest'), 7, n % 5, 20,
    printf('%064x', n), iif(n % 6, ${START} + n * 901, NULL)
  FROM numbers;
  INSERT INTO erasure_logs (id, log_id) VALUES (1, 'the log');
  INSERT INTO retention_runs (id, last_run_at, paused_until) VALUES (1, ${START} + 1, ${START} + 86400002);`;

/** Hand-over codes of some verifications, used and unused. */
const HAND_OVERS = `
  INSERT INTO hand_over_codes (client_id, verification_id, link_version, code_hash, issued_at, expires_at, spent_at, counted_from, issued)
  SELECT client_id, id, link_version, 'hash ' || rowid, requested_at + 1, requested_at + 2, iif(rowid % 2, NULL, requested_at + 1),
    requested_at, 1 + rowid % 5
  FROM verifications WHERE rowid % 50 = 0 OR rowid < 4;`;

/** Readings of some verifications. */
const READINGS = `
  INSERT INTO readings (client_id, verification_id, file_id, reader_version, read_at, data)
  SELECT client_id, id, id, '1', requested_at + 3, '{"countersignSealed":1,"data":"' || hex(rowid) || '"}'
  FROM verifications WHERE rowid % 50 = 1 OR rowid < 4;`;

/** Index keys of each client that has any, and labels of some verifications. */
const INDEXES = `
  INSERT INTO index_keys (client_id, version, value, wrapped_by)
  SELECT client_id, version, 'wrapped ' || client_id || version, iif(version = 2, NULL, 'key-1')
  FROM (SELECT DISTINCT client_id FROM verifications), (SELECT 1 AS version UNION SELECT 2);
  INSERT INTO indexed_verifications (client_id, verification_id, key_version, rules_version)
  SELECT client_id, id, 1 + rowid % 2, 1 FROM verifications WHERE rowid % 50 = 2 OR rowid < 4;
  INSERT INTO index_entries (client_id, purpose, label, verification_id)
  SELECT client_id, purpose, 'label-' || (key_version % 2) || '_Zz', verification_id
  FROM indexed_verifications, (SELECT 'email' AS purpose UNION SELECT 'document_number');`;

/** Exports of some verifications: requested, released and ended. */
const EXPORTS = `
  INSERT INTO export_requests (client_id, id, verification_id, requested_at, requested_by, released_at, released_by, code_hash,
    link_version, expires_at, wrong_codes, downloaded_at)
  SELECT client_id, '8' || substr(id, 2), id, requested_at, iif(rowid % 2, 'subject', 'operator'),
    iif(rowid % 3, requested_at + 1, NULL), iif(rowid % 3, 'staff', NULL), iif(rowid % 3, 'hash ' || rowid, NULL),
    rowid % 3, iif(rowid % 3, requested_at + 2, NULL), iif(rowid % 3, rowid % 6, 0), iif(rowid % 3 = 1, requested_at + 1, NULL)
  FROM verifications WHERE rowid % 50 = 0 OR rowid < 4;`;

/** Mails about some verifications and about users; a worker holds some of them. */
const MAILS = `
  INSERT INTO mails (id, kind, client_id, verification_id, planned_at, due_at, attempts, lease_token, leased_until)
  SELECT '6' || substr(id, 2), iif(rowid % 2, 'verification.link', 'verification.result'), client_id, id, requested_at,
    requested_at + rowid % 3, rowid % 3, iif(rowid % 5, NULL, 'token'), iif(rowid % 5, NULL, requested_at + 9)
  FROM verifications WHERE rowid % 50 = 1 OR rowid < 4;
  INSERT INTO mails (id, kind, user_id, target_id, planned_at, due_at, attempts)
  VALUES (${id('5', '1')}, 'verification.reminder', 'user “1”', 'target', ${START} + 1, ${START} + 2, 0);`;

/** The hashes are invalid, but each entry names the previous one. */
const AUDIT = `
  WITH RECURSIVE ${numbers(AUDIT_LINES)}
  INSERT INTO audit_entries (sequence, at, actor_kind, actor_id, from_address, action, outcome, client_id, target_id,
    detail, previous_hash, hash)
  SELECT n, ${START} + n * 700, CASE n % 4 WHEN 0 THEN 'anonymous' WHEN 1 THEN 'team_member' WHEN 2 THEN 'reviewer' ELSE 'operator' END,
    iif(n % 4, 'staff ' || n, NULL), iif(n % 5, '2001:db8::' || n, NULL), iif(n % 2, 'api_keys.create', 'page.request'),
    CASE n % 6 WHEN 0 THEN 'failed' WHEN 1 THEN 'refused' ELSE 'allowed' END, iif(n % 3, ${id('c', '(n % 7 + 1)')}, NULL),
    iif(n % 7, 'target ' || n, NULL), json_object('plan', 'größer “' || n || '”', 'of', n, 'a', json_array(NULL, json('false'))),
    printf('%064x', n - 1), printf('%064x', n)
  FROM numbers ORDER BY n;`;
