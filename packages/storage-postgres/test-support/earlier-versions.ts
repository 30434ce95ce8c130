import type postgres from 'postgres';
import { CREATE_MIGRATIONS_TABLE, MIGRATIONS } from '../src/database/migrations.ts';
import { CLIENT, verificationId } from './records.ts';

/** Makes an empty database one as the first version of Countersign left it, with something in every table. */
export async function makeFirstVersion(raw: postgres.Sql): Promise<void> {
  await raw.unsafe(CREATE_MIGRATIONS_TABLE);
  await raw.unsafe(MIGRATIONS[0]?.sql ?? '');
  await raw.unsafe(ROWS);
}

/** The same as the second version left it: with a claim and a data key besides. */
export async function makeSecondVersion(raw: postgres.Sql): Promise<void> {
  await makeFirstVersion(raw);
  await raw.unsafe(MIGRATIONS[1]?.sql ?? '');
  await raw.unsafe(`
    update verifications set claimed_by = 'reviewer', claimed_at = ${at(8)} where id = '${verificationId(2)}';
    update verifications set data_key_wrapped_by = 'key', data_key = 'wrapped' where id = '${verificationId(3)}'`);
}

/** When the verifications of that database were submitted last, in ms, by their numbers. */
export const SUBMITTED_AT: readonly (number | null)[] = [
  null,
  null,
  Date.UTC(2026, 2, 10, 9, 30, 0, 123),
  2_000,
  3_000,
  7_000,
  4_000,
  null,
];

const at = (ms: number): string => `timestamptz 'epoch' + ${ms} * interval '1 ms'`;

const verification = (n: number, status: string, dossier: string): string =>
  `insert into verifications values ('${CLIENT.id}', '${verificationId(n)}', 'kyc', 'subject ${n}', '${status}',
    ${at(1)}, ${status === 'approved' || status === 'rejected' ? at(9) : null}, 3, 2, 1, ${at(99)}, 'key ${n}', 'f',
    '{"a":1}', '{"b":[2]}', '${dossier}')`;

const submitted = (n: number, version: number, ms: number): string =>
  `insert into verification_events values ('${CLIENT.id}', '${verificationId(version)}', '${verificationId(n)}',
    ${version}, 'verification.submitted', 'submitted', ${at(ms)}, 'subject', null, '{}', ${at(ms)}, null, 0, null)`;

const ROWS = [
  `insert into clients values ('${CLIENT.id}', 'Client', ${at(1)})`,
  `insert into subscriptions values ('${CLIENT.id}', 'standard', 'active', null, ${at(1)}, null)`,
  `insert into usage values ('${CLIENT.id}', '2026-03', 7, 1000)`,
  `insert into api_keys values ('${CLIENT.id}', '${CLIENT.id}', 'Key', sha256('key'), 'csk_', '["*"]', ${at(1)},
    null, null, null, 1)`,
  verification(1, 'pending', '{}'),
  verification(2, 'submitted', '{"submittedAt":"2026-03-10T09:30:00.123Z"}'),
  submitted(2, 2, 1_000),
  verification(3, 'submitted', '{}'),
  submitted(3, 2, 2_000),
  verification(4, 'submitted', '{"submittedAt":"2026-13-10T09:30:00.123Z"}'),
  submitted(4, 2, 3_000),
  verification(5, 'action_needed', '{"request":{}}'),
  submitted(5, 2, 5_000),
  submitted(5, 4, 7_000),
  verification(6, 'approved', '{"decision":{}}'),
  submitted(6, 2, 4_000),
  verification(7, 'rejected', '{"decision":{}}'),
].join(';\n');
