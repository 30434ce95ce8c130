import type { TransferKind } from '@countersign/domain/storage';
import { STORED_ENTRIES } from '@countersign/test-support/records/stored-entries';
import { expect, test } from 'vitest';
import { getTableColumns } from '../drizzle.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';

/** The rows of `STORED_ENTRIES` in the order of the columns, as version 0.3.0 stores them. */
const ROWS: { readonly [K in TransferKind]: readonly string[] } = {
  clients: [
    '[["00000000-0000-7000-8000-000000000001","Ácme","2023-11-14T22:13:20.123Z",true,["https://acme.example/"],true,"00000000-0000-7000-8000-000000000009",true,false,21,7,"day",true,24,true,{"ask":[{"name":"Blurred","en":"Take it again.","de":"Bitte neu."}],"reject":[]},true],["00000000-0000-7000-8000-000000000001","standard","active",5,"2023-11-14T22:13:21.123Z","2023-11-14T22:13:22.123Z"]]',
    '[["00000000-0000-7000-8000-000000000001","Acme","2023-11-14T22:13:20.123Z",false,[],false,null,false,false,null,null,null,false,null,false,{"ask":[],"reject":[]},false]]',
    '[["00000000-0000-7000-8000-000000000001","Acme","2023-11-14T22:13:20.123Z",false,[],false,null,false,false,null,null,null,false,null,false,{"ask":[],"reject":[]},false],["00000000-0000-7000-8000-000000000001","standard","active",null,"2023-11-14T22:13:21.123Z",null]]',
  ],
  clientFaces: [
    '[["00000000-0000-7000-8000-000000000001","Acme","#00ff00","help@acme.example","https://acme.example/privacy","\\\\xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",3,2,"\\\\x0102ff"]]',
    '[["00000000-0000-7000-8000-000000000001",null,null,null,null,null,null,null,null]]',
  ],
  clientRetention: [
    '[["00000000-0000-7000-8000-000000000001",{"approvedAfterEnd":"P5Y","approvedLongest":"P10Y","rejected":"P90D","unfinished":"P30D","replacedUploads":"P7D"},null,null]]',
    '[["00000000-0000-7000-8000-000000000001",null,null,null]]',
  ],
  usage: ['[["00000000-0000-7000-8000-000000000001","2026-11",3,10]]'],
  verifications: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002","kyc","subject","submitted","2023-11-14T22:13:20.123Z","2023-11-14T22:13:21.123Z",2,3,4,"2023-11-14T22:13:22.123Z","key","fingerprint",{"plan":"gold"},{"steps":{"identity":{"name":"Ada"}}},{"files":[]},"2023-11-14T22:13:23.123Z","reviewer","2023-11-14T22:13:24.123Z","k1","wrapped","approved",5,6,"https://acme.example/done","de","2023-11-14T22:13:25.123Z","2023-11-14T22:13:26.123Z","user","2023-11-14T22:13:27.123Z","2023-11-14T22:13:28.123Z","2023-11-14T22:13:29.123Z",7,"2023-11-14T22:13:30.123Z","2023-11-14T22:13:31.123Z",{"email":"ada@example.com"},{"rules":1},"warning",true]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002","kyb","subject","pending","2023-11-14T22:13:20.123Z",null,0,1,1,"2023-11-14T22:13:22.123Z",null,null,{},{},{},null,null,null,null,null,null,1,1,null,null,null,null,null,null,null,null,null,null,null,null,null,null,false]]',
  ],
  events: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000002",2,"verification.submitted","submitted","2023-11-14T22:13:20.123Z","api_key","00000000-0000-7000-8000-000000000005",{"step":"identity"},"2023-11-14T22:13:20.123Z",null,0,null,true]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000002",1,"verification.created","pending","2023-11-14T22:13:20.123Z","subject",null,{},"2023-11-14T22:13:20.123Z",null,0,null,null]]',
  ],
  exports: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000006","00000000-0000-7000-8000-000000000002","2023-11-14T22:13:21.123Z","operator","2023-11-14T22:13:22.123Z","user","code",1,"2023-11-14T22:13:23.123Z",2,"2023-11-14T22:13:24.123Z",3,"2023-11-14T22:13:25.123Z","excessive"]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000006","00000000-0000-7000-8000-000000000002","2023-11-14T22:13:21.123Z","subject",null,null,null,0,null,0,null,0,null,null]]',
  ],
  handOvers: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002",2,"code","2023-11-14T22:13:21.123Z","2023-11-14T22:13:22.123Z","2023-11-14T22:13:23.123Z","2023-11-14T22:13:20.123Z",5]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002",1,"code","2023-11-14T22:13:21.123Z","2023-11-14T22:13:22.123Z",null,"2023-11-14T22:13:21.123Z",1]]',
  ],
  readings: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002","00000000-0000-7000-8000-000000000006","1.2","2023-11-14T22:13:21.123Z",{"outcome":"read","type":"passport"}]]',
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
    '[["00000000-0000-7000-8000-000000000007","verification.link","00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000002","user","target","2023-11-14T22:13:20.123Z","2023-11-14T22:13:21.123Z",2,null,null,"2023-11-14T22:13:22.123Z"]]',
    '[["00000000-0000-7000-8000-000000000007","user.invitation",null,null,null,null,"2023-11-14T22:13:20.123Z","2023-11-14T22:13:21.123Z",0,null,null,null]]',
  ],
  mailBudgets: ['[["recipient",1,3,"2023-11-14T22:13:20.123Z"]]'],
  webhookEndpoints: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","https://acme.example/hooks","hooks",["verification.created","verification.approved"],"paused","2023-11-14T22:13:20.123Z","2023-11-14T22:13:21.123Z","user","whsec_new","k2","whsec_old","k1","2023-11-14T22:13:23.123Z","2023-11-14T22:13:22.123Z",null,null,0,null,null,3,"whsec_older",null,"2023-11-14T22:13:23.123Z"]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","https://acme.example/hooks","",["verification.rejected"],"active","2023-11-14T22:13:20.123Z","2023-11-14T22:13:21.123Z",null,"whsec_new",null,null,null,null,null,null,null,0,null,null,1,null,null,null]]',
  ],
  webhookDeliveries: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000002",2,"verification.submitted","2023-11-14T22:13:20.123Z","waiting",1,"2023-11-14T22:13:21.123Z"]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000002",2,"verification.submitted","2023-11-14T22:13:20.123Z","failed",8,null]]',
  ],
  webhookAttempts: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000008","2023-11-14T22:13:20.123Z",12,"{\\"id\\":1}",500,"no","timeout"]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000003","00000000-0000-7000-8000-000000000004","00000000-0000-7000-8000-000000000008","2023-11-14T22:13:20.123Z",0.5,"{}",null,null,null]]',
  ],
  erasures: [
    '[["00000000-0000-7000-8000-000000000001",1,"00000000-0000-7000-8000-000000000002","2023-11-14T22:13:20.123Z","requested",1,2,3,"\\\\xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","2023-11-14T22:13:21.123Z"]]',
    '[["00000000-0000-7000-8000-000000000001",2,"00000000-0000-7000-8000-000000000002","2023-11-14T22:13:20.123Z","log",0,0,0,"\\\\xcccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",null]]',
  ],
  erasureLogs: ['[[1,"log"]]'],
  retentionRuns: [
    '[[1,"2023-11-14T22:13:20.123Z","2023-11-14T22:13:21.123Z"]]',
    '[[1,"2023-11-14T22:13:20.123Z",null]]',
  ],
  audit: [
    '[[2,"2023-11-14T22:13:20.123Z","reviewer","user","192.0.2.1","review.approve","allowed","00000000-0000-7000-8000-000000000001","target",{"n":1},1,"\\\\xdddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd","\\\\xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"]]',
    '[[1,"2023-11-14T22:13:20.123Z","operator",null,null,"clients.create","refused",null,null,{},null,"\\\\x0000000000000000000000000000000000000000000000000000000000000000","\\\\xdddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"]]',
  ],
  apiKeys: [
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000005","key","\\\\xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff","csk_ab12…cd34",["verifications:create","verifications:read"],"2023-11-14T22:13:20.123Z","2023-11-14T22:13:21.123Z","2023-11-14T22:13:22.123Z","2023-11-14T22:13:23.123Z",null,"user",7,["192.0.2.0/24"]]]',
    '[["00000000-0000-7000-8000-000000000001","00000000-0000-7000-8000-000000000005","","\\\\xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff","csk_ab12…cd34",["*"],"2023-11-14T22:13:20.123Z",null,null,null,null,null,null,null]]',
  ],
};

/** Faults of rows with a bad value: what is corrupt, and why. `%n` is the id with the number n. */
const FAULTS: readonly (readonly [TransferKind, field: string, value: unknown, problem: string])[] = [
  ['clients', 'fileAccess', 2, 'client %1: file_access is neither true nor false'],
  ['clients', 'asksPlaceOfBirth', 2, 'client %1: asks_place_of_birth is neither true nor false'],
  ['clients', 'minimumAge', 'x', 'client %1: minimum_age is not an integer'],
  ['clients', 'decisionWithin', 'x', 'client %1: unknown decision_within'],
  ['clients', 'returnAddresses', {}, 'client %1: return_addresses is not a JSON array'],
  ['clients', 'returnAddresses', [1], 'client %1: return_addresses is not an array of texts'],
  ['clients', 'reasonTemplates', { ask: [] }, 'client %1: reason_templates has no reject'],
  ['clients', 'plan', 'x', 'subscription of the client %1: unknown plan'],
  ['clients', 'monthlyLimit', '5', 'subscription of the client %1: monthly_limit is not an integer'],
  ['clientFaces', 'logoWidth', null, 'appearance of the client %1: logo_width is missing'],
  ['clientRetention', 'policy', [], 'retention of the client %1: policy is not a JSON object'],
  ['clientRetention', 'policy', {}, 'retention of the client %1: policy has no approvedAfterEnd'],
  ['usage', 'used', '3', 'usage of the client %1: used is not an integer'],
  ['verifications', 'type', 'x', 'verification %2: unknown type'],
  ['verifications', 'requestedAt', 'infinity', 'verification %2: requested_at is not a date'],
  ['verifications', 'answers', [], 'verification %2: answers is not a JSON object'],
  ['verifications', 'reviewData', [], 'verification %2: review_data is not a JSON object'],
  ['verifications', 'dataKeyWrappedBy', null, 'verification %2: data_key_wrapped_by is missing'],
  ['events', 'actorKind', 'x', 'event %4: unknown actor_kind'],
  ['events', 'data', [], 'event %4: data is not a JSON object'],
  ['exports', 'declineReason', 'x', 'export %6: unknown decline_reason'],
  ['mails', 'kind', 'x', 'mail %7: unknown kind'],
  ['mails', 'attempts', 0.5, 'mail %7: attempts is not an integer'],
  ['mails', 'userId', 1, 'mail %7: user_id is not text'],
  ['mailBudgets', 'endsAt', 'x', 'budget of mails recipient: ends_at is not a date'],
  ['webhookEndpoints', 'types', ['x'], 'webhook endpoint %3: unknown types'],
  ['webhookEndpoints', 'olderSecretValidUntil', null, 'webhook endpoint %3: older_secret_valid_until is missing'],
  [
    'webhookEndpoints',
    'previousSecretValidUntil',
    'x',
    'webhook endpoint %3: previous_secret_valid_until is not a date',
  ],
  ['webhookDeliveries', 'state', 'x', 'webhook delivery of event %4: unknown state'],
  ['webhookAttempts', 'durationMs', 'x', 'webhook attempt %8: duration_ms is not a number'],
  ['erasures', 'rule', 'x', 'erasure 1: unknown rule'],
  ['erasureLogs', 'logId', 1, 'erasure log 1: log_id is not text'],
  ['retentionRuns', 'lastRunAt', 'x', 'retention run 1: last_run_at is not a date'],
  ['audit', 'action', 'x', 'audit entry 2: unknown action'],
  ['audit', 'sequence', 'x', 'audit entry x: sequence is not an integer'],
  ['apiKeys', 'permissions', ['x'], 'API key %5: unknown permissions'],
  ['apiKeys', 'networks', [1], 'API key %5: networks is not an array of texts'],
];

type Columns = Readonly<Record<string, unknown>>;

const KINDS = Object.keys(ROWS) as TransferKind[];
const copied = (kind: TransferKind): CopiedTable<unknown> => COPIED_TABLES[kind];

/** The rows of an entry as they are written: of the table, and of the joined one if the entry has one. */
function rowsOf(kind: TransferKind, entry: unknown): readonly Columns[] {
  const { table, joined, toRow, toJoinedRow } = copied(kind);
  const rows = [
    { table, row: toRow(entry) },
    ...(joined ? [{ table: joined.table, row: toJoinedRow?.(entry) }] : []),
  ];
  return rows.flatMap(({ table, row }) => {
    if (!row) return [];
    const written = row as Columns;
    return [
      Object.fromEntries(Object.keys(getTableColumns(table)).map((field) => [field, written[field] ?? null])),
    ];
  });
}

/** Parses rows as the database answers them, with nulls where a join found none. */
function read(kind: TransferKind, rows: readonly Columns[]): unknown {
  const { joined, fromRow } = copied(kind);
  const none = joined === undefined || rows.length > 1 ? [] : Object.keys(getTableColumns(joined.table)).fill('');
  return fromRow([...rows.flatMap((row) => Object.values(row).map(answered)), ...none.map(() => null)]);
}

/** A written value as the database answers it: moments in its format, bytes in hexadecimal, big integers as text. */
function answered(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (value.startsWith('\\x')) return value.slice(2);
  return value.replace(/^(\d{4}-\d\d-\d\d)T([\d:.]+)Z$/, '$1 $2+00');
}

test.each(KINDS)('%s: the rows of entries are those of version 0.3.0 and become the entries again', (kind) => {
  const rows = STORED_ENTRIES[kind].map((entry) => rowsOf(kind, entry));
  expect(rows.map((each) => JSON.stringify(each.map((row) => Object.values(row))))).toEqual(ROWS[kind]);
  expect(rows.map((each) => read(kind, each))).toEqual(STORED_ENTRIES[kind]);
});

test.each(FAULTS)('%s with %s of %j is a fault that names row and column', (kind, field, value, problem) => {
  const rows = rowsOf(kind, STORED_ENTRIES[kind][0]);
  const [, what = '', why] = /^(.*?): (.*)$/.exec(problem) ?? [];
  const message = `The stored ${what.replace('%', '00000000-0000-7000-8000-00000000000')} is corrupt: ${why}`;
  // The table that has the field.
  const changed = rows.map((row) => (field in row ? { ...row, [field]: value } : row));
  expect(() => read(kind, changed)).toThrow(expect.objectContaining({ message }));
});
