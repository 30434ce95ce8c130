import { basename, dirname } from 'node:path';
import { DATA_ERASED_ACTION } from '@countersign/domain';
import { createFileErasureLog } from '@countersign/evidence';
import { type ApiClient, atOnce, idOf } from '@countersign/test-support/api/api-client';
import { define } from '@countersign/test-support/installation/database-file';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';
import { expect } from 'vitest';

type Place = Pick<ServerProcess, 'databaseFile' | 'env'>;

const REQUESTS_AT_ONCE = 50;

/** Creates and withdraws verifications with everything that an erasure removes from a row. */
export async function createWithdrawn(api: ApiClient, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const first = ids.length;
    const size = Math.min(REQUESTS_AT_ONCE, count - first);
    ids.push(...(await atOnce(size, (n) => createOne(api, `due ${first + n}`))));
    const made = ids.slice(first);
    const answers = await atOnce(size, (n) =>
      api.request(`/verifications/${made[n]}/withdraw`, { method: 'POST' }),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  }
  return ids;
}

export async function createOne(api: ApiClient, name: string): Promise<string> {
  const subject = { subjectType: 'kyc', subjectReference: name, metadata: { name }, locale: 'de' };
  return idOf(await api.post(subject, { 'Idempotency-Key': name }));
}

const ROWS = `
  SELECT v.id, v.subject_reference, v.erased_at, v.erasure_number, e.number, e.finished_at,
    CASE WHEN v.subject_reference = 'erased:' || v.id AND CAST(v.metadata AS TEXT) = '{}' AND CAST(v.answers AS TEXT) = '{}'
      AND CAST(v.review_data AS TEXT) = '{}' AND coalesce(v.idempotency_key, v.idempotency_fingerprint, v.data_key, v.return_url,
      v.locale) IS NULL THEN 1 ELSE 0 END AS is_empty,
    CASE WHEN CAST(v.metadata AS TEXT) <> '{}' AND v.idempotency_key IS NOT NULL AND v.locale IS NOT NULL THEN 1 ELSE 0 END AS is_whole,
    coalesce(x.erasures, 0) AS erasures, coalesce(x.with_data, 0) AS events, coalesce(a.with_text, 0) AS attempts
  FROM verifications v
    LEFT JOIN erasures e ON e.client_id = v.client_id AND e.verification_id = v.id AND e.number = v.erasure_number
    LEFT JOIN (
      SELECT client_id, verification_id, sum(CASE WHEN type = 'verification.data_erased' THEN 1 ELSE 0 END) AS erasures,
        sum(CASE WHEN CAST(data AS TEXT) <> '{}' THEN 1 ELSE 0 END) AS with_data
      FROM verification_events GROUP BY client_id, verification_id
    ) x ON x.client_id = v.client_id AND x.verification_id = v.id
    LEFT JOIN (
      SELECT d.client_id, d.verification_id, count(*) AS with_text
      FROM webhook_attempts t JOIN webhook_deliveries d ON d.client_id = t.client_id AND d.endpoint_id = t.endpoint_id
        AND d.event_id = t.event_id
      WHERE t.request <> '' OR t.answer IS NOT NULL OR t.fault IS NOT NULL GROUP BY d.client_id, d.verification_id
    ) a ON a.client_id = v.client_id AND a.verification_id = v.id`;

/** Finds verifications that are neither as they were nor erased whole, with receipt and event. */
export async function halfErased(place: Place): Promise<readonly Record<string, unknown>[]> {
  return (await rowsIn(place, ROWS)).filter((row) => {
    const [isEmpty, isWhole, erasures] = [Number(row.is_empty), Number(row.is_whole), Number(row.erasures)];
    if (row.erasure_number === null) return isWhole !== 1 || erasures !== 0;
    const left = Number(row.events) + Number(row.attempts);
    return isEmpty !== 1 || row.number === null || row.erased_at === null || erasures !== 1 || left !== 0;
  });
}

/** Counts verifications whose data is removed. */
export async function countErased(place: Place): Promise<number> {
  const [row] = await rowsIn(place, 'SELECT count(*) AS n FROM verifications WHERE erasure_number IS NOT NULL');
  return Number(row?.n);
}

/** Counts verifications whose erasure has begun. */
export async function countBegun(place: Place): Promise<number> {
  const [row] = await rowsIn(place, 'SELECT count(*) AS n FROM verifications WHERE erased_at IS NOT NULL');
  return Number(row?.n);
}

/**
 * Makes the time pass that a begun erasure is left to the process that began it: the next run of the job goes on with those that a
 * killed one left.
 */
export async function passResumeTime(place: Place): Promise<void> {
  const { DATABASE_URL: url } = place.env;
  const begun = 'erased_at IS NOT NULL AND retention_check_at IS NOT NULL';
  if (url === undefined) {
    define(
      place.databaseFile,
      `UPDATE verifications SET retention_check_at = retention_check_at - 3600000 WHERE ${begun}`,
    );
    return;
  }
  await rowsIn(
    place,
    `UPDATE verifications SET retention_check_at = retention_check_at - interval '1 hour' WHERE ${begun}`,
  );
}

/** Counts erasures that are not finished: their files or their entry in the audit log are left. */
export async function countUnfinished(place: Place): Promise<number> {
  const [row] = await rowsIn(place, 'SELECT count(*) AS n FROM erasures WHERE finished_at IS NULL');
  return Number(row?.n);
}

/**
 * Expects that rows, receipts, entries of the erasure log, entries of the audit log, webhooks and files agree one to one.
 * @returns how many erasures have more than one equal entry in the audit log, after a kill between the entry and the receipt
 */
export async function expectAllAgree(
  place: Place,
  { erased, evidence, erasureLog }: { erased: readonly string[]; evidence: string; erasureLog: string },
): Promise<{ repeatedLines: number }> {
  const wanted = new Set(erased);
  expect(await halfErased(place)).toEqual([]);
  const rows = await rowsIn(place, ROWS);
  expect(new Set(rows.filter((row) => row.number !== null).map(({ id }) => id))).toEqual(wanted);

  const receipts = await rowsIn(
    place,
    'SELECT number, verification_id, hash, finished_at FROM erasures ORDER BY number',
  );
  const log = createFileErasureLog({ directory: erasureLog });
  const entries = await log.read(0, receipts.length + 1);
  const numbers = Array.from({ length: receipts.length }, (_, index) => index + 1);
  expect(receipts.map(({ number }) => Number(number))).toEqual(numbers);
  expect(entries.map(({ number, verificationId }) => [number, verificationId])).toEqual(
    receipts.map(({ number, verification_id: id }) => [Number(number), id]),
  );
  expect(receipts.filter((receipt) => receipt.finished_at === null)).toEqual([]);

  const lines = await rowsIn(
    place,
    `SELECT target_id, CAST(detail AS TEXT) AS detail FROM audit_entries WHERE action = '${DATA_ERASED_ACTION}'`,
  );
  const numberOf = new Map(rows.map(({ id, number }) => [String(id), Number(number)]));
  for (const { target_id: id, detail } of lines) {
    const line = JSON.parse(String(detail)) as { number: number; hash: string };
    expect([id, line.number]).toEqual([id, numberOf.get(String(id))]);
  }
  expect(new Set(lines.map((line) => line.target_id))).toEqual(wanted);

  const left = filesBelow(evidence).filter((file) => wanted.has(basename(dirname(file))));
  expect(left).toEqual([]);
  return { repeatedLines: lines.length - wanted.size };
}
