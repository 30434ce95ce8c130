import type { Sorted } from '@countersign/test-support/records/list-pages';
import type postgres from 'postgres';
import { CLIENT } from './records.ts';

/** Inserts verifications of the client with the fields that lists sort by. */
export async function insertListed(raw: postgres.Sql, rows: readonly Sorted[]): Promise<void> {
  await raw.unsafe(INSERT, [CLIENT.id, JSON.stringify(rows)]);
}

const INSERT = `
  insert into verifications (client_id, id, type, subject_reference, status, requested_at, resolved_at, current_step,
    version, link_version, link_expires_at, metadata, answers, review_data, flow_version, event_count)
  select $1, id, type, "subjectReference", status, "requestedAt", "resolvedAt", "currentStep",
    1, 1, now(), '{}', '{}', '{}', 1, 1
  from json_to_recordset($2::text::json) as row (id uuid, type text, "subjectReference" text, status text,
    "requestedAt" timestamptz, "resolvedAt" timestamptz, "currentStep" int)`;
