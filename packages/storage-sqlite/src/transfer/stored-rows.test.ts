import type { TransferKind } from '@countersign/domain/storage';
import { STORED_ENTRIES } from '@countersign/test-support/records/stored-entries';
import { expect, test } from 'vitest';
import { getTableColumns } from '../drizzle.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';

/** The rows of `STORED_ENTRIES` in the order of the columns, as version 0.3.0 stores them. */
const ROWS: { readonly [K in TransferKind]: readonly string[] } = {
  clients: [
    '[["00000000-0000-7000-8000-000000000001","Ácme",1700000000123,1,"acme","[\\"https://acme.example/\\"]",1,"00000000-0000-7000-8000-000000000009",1,0,21,7,"day",1,24,1,"{\\"ask\\":[{\\"name\\":\\"Blurred\\",\\"en\\":\\"Take it again.\\",\\"de\\":\\"Bitte neu.\\"}],\\"reject\\":[]}",1],["00000000-0000-7000-8000-000000000001","standard","active",5,1700000001123,1700000002123]]',
    '[["00000000-0000-7000-8000-000000000001","Acme",1700000000123,0,"acme","[]",0,null,0,0,null,null,null,0,null,0,"{\\"ask\\":[],\\"reject\\":[]}",0]]',
    '[["00000000-0000-7000-8000-000000000001","Acme",1700000000123,0,"acme","[]",0,null,0,0,null,null,null,0,null,0,"{\\"ask\\":[],\\"reject\\":[]}",0],["00000000-0000-7000-8000-000000000001","standard","active",null,1700000001123,null]]',
  ],
  clientFaces: [
    '[["00000000-0000-7000-8000-000000000001","Acme","#00ff00","help@acme.example","https://acme.example/privacy","aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",3,2,{"type":"Buffer","data":[1,2,255]}]]',
    '[["00000000-0000-7000-8000-000000000001",null,null,null,null,null,null,null,null]]',
  ],
  clientRetention: [
    '[["00000000-0000-7000-8000-000000000001","{\\"approvedAfterEnd\\":\\"P5Y\\",\\"approvedLongest\\":\\"P10Y\\",\\"rejected\\":\\"P90D\\",\\"unfinished\\":\\"P30D\\",\\"replacedUploads\\":\\"P7D\\"}",null,null]]',
    '[["00000000-0000-7000-8000-000000000001",null,null,null]]',
  ],
  usage: ['[["00000000-0000-7000-8000-000000000001","2026-11",3,10]]'],
  verifications: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002","kyc","subject","submitted",1700000000123,1700000001123,2,3,4,1700000002123,"key","fingerprint","{\\"plan\\":\\"gold\\"}","{\\"steps\\":{\\"identity\\":{\\"name\\":\\"Ada\\"}}}","{\\"files\\":[]}",1700000003123,"reviewer",1700000004123,"k1","wrapped","approved",5,6,"https://acme.example/done","de",1700000005123,1700000006123,"user",1700000007123,1700000008123,1700000009123,7,1700000010123,1700000011123,"{\\"email\\":\\"ada@example.com\\"}",null,null,"{\\"rules\\":1}","warning",1]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002","kyb","subject","pending",1700000000123,null,0,1,1,1700000002123,null,null,"{}","{}","{}",null,null,null,null,null,null,1,1,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,null,0]]',
  ],
  events: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000002",2,"verification.submitted","submitted",1700000000123,"api_key","00000000-0000-7000-8000-000000000005","{\\"step\\":\\"identity\\"}",1700000000123,null,0,null,1]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000002",1,"verification.created","pending",1700000000123,"subject",null,"{}",1700000000123,null,0,null,null]]',
  ],
  exports: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000006","00000000-0000-7000-8000-000000000002",1700000001123,"operator",1700000002123,"user","code",1,1700000003123,2,1700000004123,3,1700000005123,"excessive"]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000006","00000000-0000-7000-8000-000000000002",1700000001123,"subject",null,null,null,0,null,0,null,0,null,null]]',
  ],
  handOvers: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002",2,"code",1700000001123,1700000002123,1700000003123,1700000000123,5]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002",1,"code",1700000001123,1700000002123,null,1700000001123,1]]',
  ],
  readings: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002","00000000-0000-7000-8000-000000000006","1.2",1700000001123,"{\\"outcome\\":\\"read\\",\\"type\\":\\"passport\\"}"]]',
  ],
  indexKeys: [
    '[["00000000-0000-7000-8000-000000000001",2,"wrapped","k2"]]',
    '[["00000000-0000-7000-8000-000000000001",1,"key",null]]',
  ],
  indexedVerifications: ['[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002",2,1]]'],
  indexEntries: [
    '[["00000000-0000-7000-8000-000000000001","document_number","B-_9","00000000-0000-7000-8000-000000000002"]]',
  ],
  mails: [
    '[["00000000-0000-7000-8000-000000000007","verification.link","00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002","user","target",1700000000123,1700000001123,2,null,null,1700000002123]]',
    '[["00000000-0000-7000-8000-000000000007","user.invitation",null,null,null,null,1700000000123,1700000001123,0,null,null,null]]',
  ],
  mailBudgets: ['[["recipient",1,3,1700000000123]]'],
  webhookEndpoints: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003",0,"https://acme.example/hooks","hooks","[\\"verification.created\\",\\"verification.approved\\"]","paused",1700000000123,1700000001123,"user","whsec_new","k2","whsec_old","k1",1700000003123,1700000002123,null,null,null,3,"whsec_older",null,1700000003123]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003",0,"https://acme.example/hooks","","[\\"verification.rejected\\"]","active",1700000000123,1700000001123,null,"whsec_new",null,null,null,null,null,null,null,null,1,null,null,null]]',
  ],
  webhookDeliveries: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000002",2,"verification.submitted",1700000000123,"waiting",1,1700000001123]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000002",2,"verification.submitted",1700000000123,"failed",8,null]]',
  ],
  webhookAttempts: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000008",1700000000123,12,"{\\"id\\":1}",500,"no","timeout"]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000008",1700000000123,0.5,"{}",null,null,null]]',
  ],
  erasures: [
    '[["00000000-0000-7000-8000-000000000001",1,"00000000-0000-7000-8000-000000000002",1700000000123,"requested",1,2,3,"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",1700000001123]]',
    '[["00000000-0000-7000-8000-000000000001",2,"00000000-0000-7000-8000-000000000002",1700000000123,"log",0,0,0,"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",null]]',
  ],
  erasureLogs: ['[[1,"log"]]'],
  retentionRuns: ['[[1,1700000000123,1700000001123]]', '[[1,1700000000123,null]]'],
  audit: [
    '[[2,1700000000123,"reviewer","user","192.0.2.1","review.approve","allowed","00000000-0000-7000-8000-000000000001","target","{\\"n\\":1}","dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"]]',
    '[[1,1700000000123,"operator",null,null,"clients.create","refused",null,null,"{}","0000000000000000000000000000000000000000000000000000000000000000","dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"]]',
  ],
  apiKeys: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000005","key","ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff","csk_ab12…cd34","[\\"verifications:create\\",\\"verifications:read\\"]",1700000000123,1700000001123,1700000002123,1700000003123,null,"user",7,"[\\"192.0.2.0/24\\"]"]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000005","","ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff","csk_ab12…cd34","[\\"*\\"]",1700000000123,null,null,null,null,null,null,null]]',
  ],
};

/** Faults of rows with a bad value: what is corrupt, and why. `%n` is the id with the number n. */
const FAULTS: readonly (readonly [TransferKind, field: string, value: unknown, problem: string])[] = [
  ['clients', 'fileAccess', 2, 'client %1: file_access is neither 0 nor 1'],
  ['clients', 'asksPlaceOfBirth', 2, 'client %1: asks_place_of_birth is neither 0 nor 1'],
  ['clients', 'decisionWithin', 'x', 'client %1: unknown decision_within'],
  ['clients', 'returnAddresses', '{}', 'client %1: return_addresses is not a JSON array'],
  ['clients', 'returnAddresses', '[1]', 'client %1: return_addresses is not an array of texts'],
  ['clients', 'reasonTemplates', '{"ask":[]}', 'client %1: reason_templates has no reject'],
  ['clients', 'plan', 'x', 'subscription of the client %1: unknown plan'],
  ['clients', 'endsAt', 'x', 'subscription of the client %1: ends_at is not a date'],
  ['clientFaces', 'logoWidth', null, 'appearance of the client %1: logo_width is missing'],
  ['clientRetention', 'policy', '[]', 'retention of the client %1: policy is not a JSON object'],
  ['clientRetention', 'policy', '{}', 'retention of the client %1: policy has no approvedAfterEnd'],
  ['verifications', 'type', 'x', 'verification %2: unknown type'],
  ['verifications', 'requestedAt', 'x', 'verification %2: requested_at is not a date'],
  ['verifications', 'answers', '{', 'verification %2: answers is not JSON'],
  ['verifications', 'reviewData', '[]', 'verification %2: review_data is not a JSON object'],
  ['verifications', 'dataKeyWrappedBy', null, 'verification %2: data_key_wrapped_by is missing'],
  ['events', 'actorKind', 'x', 'event %4: unknown actor_kind'],
  ['events', 'data', '[]', 'event %4: data is not a JSON object'],
  ['exports', 'declineReason', 'x', 'export %6: unknown decline_reason'],
  ['mails', 'kind', 'x', 'mail %7: unknown kind'],
  ['mails', 'heldUntil', 'x', 'mail %7: held_until is not a date'],
  ['mailBudgets', 'endsAt', 0.5, 'budget of mails recipient: ends_at is not a date'],
  ['webhookEndpoints', 'types', '["x"]', 'webhook endpoint %3: unknown types'],
  ['webhookEndpoints', 'state', 'x', 'webhook endpoint %3: unknown state'],
  [
    'webhookEndpoints',
    'previousSecretValidUntil',
    'x',
    'webhook endpoint %3: previous_secret_valid_until is not a date',
  ],
  ['webhookEndpoints', 'olderSecretValidUntil', null, 'webhook endpoint %3: older_secret_valid_until is missing'],
  ['webhookDeliveries', 'state', 'x', 'webhook delivery of event %4: unknown state'],
  ['webhookAttempts', 'at', 'x', 'webhook attempt %8: at is not a date'],
  ['erasures', 'rule', 'x', 'erasure 1: unknown rule'],
  ['retentionRuns', 'lastRunAt', 'x', 'retention run 1: last_run_at is not a date'],
  ['audit', 'action', 'x', 'audit entry 2: unknown action'],
  ['audit', 'outcome', 'x', 'audit entry 2: unknown outcome'],
  ['apiKeys', 'permissions', '["x"]', 'API key %5: unknown permissions'],
  ['apiKeys', 'networks', '[1]', 'API key %5: networks is not an array of texts'],
];

const KINDS = Object.keys(ROWS) as TransferKind[];
const copied = (kind: TransferKind): CopiedTable<unknown> => COPIED_TABLES[kind];

/** The rows of an entry, as the database answers them. */
function rowsOf(kind: TransferKind, entry: unknown) {
  return copied(kind)
    .toRows(entry)
    .map(({ table, row }) => {
      const stored = row as Readonly<Record<string, unknown>>;
      return Object.fromEntries(Object.keys(getTableColumns(table)).map((field) => [field, stored[field]]));
    });
}

test.each(KINDS)('%s: the rows of entries are those of version 0.3.0 and become the entries again', (kind) => {
  const rows = STORED_ENTRIES[kind].map((entry) => rowsOf(kind, entry));
  expect(rows.map((each) => JSON.stringify(each.map((row) => Object.values(row))))).toEqual(ROWS[kind]);
  const read = rows.map(([row = {}, joined = null]) => copied(kind).fromRow(row, joined));
  expect(read).toEqual(STORED_ENTRIES[kind]);
});

/** The rows with the value in the table that has the field. */
const withValue = (rows: ReturnType<typeof rowsOf>, field: string, value: unknown) =>
  rows.map((row) => (field in row ? { ...row, [field]: value } : row));

test.each(FAULTS)('%s with %s of %j is a fault that names row and column', (kind, field, value, problem) => {
  const [row = {}, joined = null] = withValue(rowsOf(kind, STORED_ENTRIES[kind][0]), field, value);
  const [, what = '', why] = /^(.*?): (.*)$/.exec(problem) ?? [];
  const message = `The stored ${what.replace('%', '00000000-0000-7000-8000-00000000000')} is corrupt: ${why}`;
  expect(() => copied(kind).fromRow(row, joined)).toThrow(expect.objectContaining({ message }));
});
