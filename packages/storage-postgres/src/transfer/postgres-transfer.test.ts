import type { ApiKey, VerificationEvent } from '@countersign/domain';
import { NO_RELEASE } from '@countersign/domain/exports';
import { DEFAULT_RETENTION } from '@countersign/domain/retention';
import {
  compareTransferKeys,
  TRANSFER_KINDS,
  type TransferEntries,
  type TransferKey,
  type TransferKind,
  transferKeyOf,
  type VerificationRecord,
} from '@countersign/domain/storage';
import { auditEntry, entryHash } from '@countersign/test-support/records/audit-entry';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { getTableName } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { givenMigrated } from '../../test-support/migrated.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { aClient, aCreateRequest, aKey, CLIENT, keyHash, verificationId } from '../../test-support/records.ts';
import { createPostgresStorage, migratePostgres } from '../postgres-storage.ts';
import * as schema from '../schema.ts';
import { COPIED_TABLES, type CopiedTable } from './copied-tables.ts';
import {
  createPostgresTransferSource,
  createPostgresTransferTarget,
  type PostgresTransferTarget,
} from './postgres-transfer.ts';

/** Triggers keep the counts. */
const NOT_COPIED: readonly unknown[] = [schema.verificationCounts];

it('copy: every other table of the schema belongs to one kind', () => {
  const copied = Object.values(COPIED_TABLES).flatMap(
    ({ table, joined }: Pick<CopiedTable<never>, 'table' | 'joined'>) =>
      joined === undefined ? [table] : [table, joined.table],
  );

  const tables = Object.values(schema).filter((table) => !NOT_COPIED.includes(table));
  expect(copied.map(getTableName).toSorted()).toEqual(tables.map(getTableName).toSorted());
});

describeWith(['postgres'], 'a copy', () => {
  const server = givenPostgres();
  const createMigrated = givenMigrated(server);

  async function targetAt(url: string): Promise<PostgresTransferTarget> {
    const target = await createPostgresTransferTarget({ url });
    onTestFinished(() => target.close());
    return target;
  }

  it('a copy into an empty database migrates it, and no server can open it until the copy is finished', async () => {
    const url = await server.createDatabase();
    const target = await targetAt(url);
    const storage = await createPostgresStorage({ url, migrate: false });
    onTestFinished(() => storage.close());
    await storage.ping();
    expect(await target.hasUnfinishedCopy()).toBe(false);

    await target.begin();
    await target.begin();

    await expect(storage.ping()).rejects.toThrow('is not finished');
    for (const open of [createPostgresStorage, createPostgresTransferSource]) {
      await expect(open({ url })).rejects.toMatchObject({ code: 'unfinished_copy' });
    }
    await expect(createPostgresStorage({ url, migrate: false })).rejects.toMatchObject({
      code: 'unfinished_copy',
    });
    const again = await targetAt(url);
    expect(await again.hasUnfinishedCopy()).toBe(true);
    await again.finish();
    await storage.ping();
    await (await createPostgresStorage({ url, migrate: false })).close();
  });

  it('reads the written entries page by page, in the order of their keys', async () => {
    const target = await targetAt(await createMigrated());
    const requests = [3, 1, 5, 2, 4].map((n) => aCreateRequest(n, { client: aClient(1 + (n % 2)) }));
    const subscription = {
      plan: 'standard',
      status: 'active',
      monthlyLimit: 7,
      startsAt: CLIENT.createdAt,
      endsAt: new Date(Date.UTC(2030, 0)),
    } as const;
    const written = {
      clients: [
        { client: aClient(1), subscription: null },
        { client: { ...aClient(2), testOf: aClient(1).id }, subscription },
      ],
      clientFaces: [
        { clientId: aClient(1).id, details: DETAILS, logo: LOGO },
        { clientId: aClient(2).id, details: { ...DETAILS, displayName: null }, logo: null },
      ],
      clientRetention: [
        { clientId: aClient(1).id, policy: DEFAULT_RETENTION },
        { clientId: aClient(2).id, policy: null },
      ],
      usage: [{ clientId: CLIENT.id, month: '2026-03', used: 3, allowance: 9 }],
      verifications: requests.map(({ record }, n) => ({ ...record, ...STATES[n % STATES.length] })),
      events: requests.flatMap(({ record, event }) => [
        { event, unsent: true },
        {
          event: {
            ...event,
            version: 2,
            id: event.id.replace('e', 'd'),
            actor: { kind: 'subject', id: record.id },
          },
          unsent: false,
        } as const,
      ]),
      exports: requests.map(({ record }, n) => ({
        id: aClient(n + 1).id,
        clientId: record.clientId,
        verificationId: record.id,
        requestedAt: CLIENT.createdAt,
        ...(n % 2 === 0 ? UNRELEASED : RELEASED),
      })),
      handOvers: requests.map(({ record }, n) => ({
        clientId: record.clientId,
        verificationId: record.id,
        linkVersion: 1,
        codeHash: 'hash',
        issuedAt: CLIENT.createdAt,
        expiresAt: new Date(CLIENT.createdAt.getTime() + 1),
        spentAt: n % 2 === 0 ? null : CLIENT.createdAt,
        countedFrom: CLIENT.createdAt,
        issued: 1 + (n % 5),
      })),
      readings: requests.map(({ event, record }) => ({
        clientId: record.clientId,
        verificationId: record.id,
        fileId: event.id,
        readerVersion: '1',
        readAt: CLIENT.createdAt,
        data: { outcome: 'read' },
      })),
      indexKeys: [...new Set(requests.map(({ record }) => record.clientId))].flatMap((clientId) =>
        [2, 1].map((version) => ({
          clientId,
          version,
          value: `value ${version}`,
          wrappedBy: version === 2 ? 'key' : null,
        })),
      ),
      indexedVerifications: requests.map(({ record }, n) => ({
        clientId: record.clientId,
        verificationId: record.id,
        keyVersion: 1,
        rulesVersion: 1 + (n % 2),
      })),
      indexEntries: requests.map(({ record }, n) => ({
        clientId: record.clientId,
        verificationId: record.id,
        purpose: 'email' as const,
        label: n % 2 === 0 ? 'a-_' : 'B',
      })),
      mailBudgets: ['b', 'a'].map((name) => ({ name, used: 1, allowed: 2, endsAt: CLIENT.createdAt })),
      mails: requests.map(({ event, record }) => ({
        ...ABOUT_NOTHING,
        id: event.id,
        kind: 'verification.link' as const,
        clientId: record.clientId,
        verificationId: record.id,
        plannedAt: CLIENT.createdAt,
        dueAt: new Date(CLIENT.createdAt.getTime() + 1),
        attempts: 2,
        heldUntil: new Date(CLIENT.createdAt.getTime() + 2),
      })),
      ...givenWebhooks(requests.map(({ event }) => event)),
      erasures: [1, 2, 3, 7].map((number) => ({
        ...ERASURE,
        number,
        finishedAt: number === 2 ? null : CLIENT.createdAt,
      })),
      erasureLogs: [{ id: 'log' }],
      retentionRuns: [{ lastRunAt: CLIENT.createdAt, pausedUntil: new Date(CLIENT.createdAt.getTime() + 1) }],
      audit: [1, 2, 3, 4, 5, 6, 7].map((n) =>
        auditEntry(n, {
          actor: { kind: 'team_member', id: 'staff' },
          from: '::1',
          clientId: CLIENT.id,
          targetId: 'key',
        }),
      ),
      apiKeys: [aKey(1), { ...aKey(2, aClient(2)), createdBy: 'staff' }],
    };
    for (const kind of TRANSFER_KINDS) await target.write(kind, written[kind]);

    const read = await pagesOf(target);

    const byKey = (a: { id: string; version?: number }, b: { id: string; version?: number }) =>
      a.id < b.id ? -1 : a.id > b.id ? 1 : (a.version ?? 0) - (b.version ?? 0);
    expect(read).toEqual({
      ...written,
      verifications: written.verifications.toSorted(byKey),
      mails: written.mails.toSorted(byKey),
      mailBudgets: written.mailBudgets.toReversed(),
      exports: written.exports.toSorted((a, b) =>
        compareTransferKeys(transferKeyOf('exports', a), transferKeyOf('exports', b)),
      ),
      handOvers: written.handOvers.toSorted((a, b) =>
        compareTransferKeys(transferKeyOf('handOvers', a), transferKeyOf('handOvers', b)),
      ),
      readings: written.readings.toSorted((a, b) =>
        compareTransferKeys(transferKeyOf('readings', a), transferKeyOf('readings', b)),
      ),
      indexKeys: written.indexKeys.toSorted((a, b) =>
        compareTransferKeys(transferKeyOf('indexKeys', a), transferKeyOf('indexKeys', b)),
      ),
      indexedVerifications: written.indexedVerifications.toSorted((a, b) =>
        compareTransferKeys(transferKeyOf('indexedVerifications', a), transferKeyOf('indexedVerifications', b)),
      ),
      indexEntries: written.indexEntries.toSorted((a, b) =>
        compareTransferKeys(transferKeyOf('indexEntries', a), transferKeyOf('indexEntries', b)),
      ),
      events: written.events.toSorted((a, b) =>
        byKey(
          { id: a.event.verificationId, version: a.event.version },
          { id: b.event.verificationId, version: b.event.version },
        ),
      ),
    });
    expect(await target.count('events')).toBe(10);
  });

  it('stores all entries of a batch or none, and quotes no refused entry', async () => {
    const target = await targetAt(await createMigrated());
    const entry = { client: CLIENT, subscription: null };

    await expect(target.write('clients', [entry, entry])).rejects.toMatchObject({ code: '23505' });
    const odd = { client: { ...CLIENT, name: 'secret\u0000' }, subscription: null };
    const refused = target.write('clients', [{ ...entry, client: aClient(2) }, odd]);

    await expect(refused).rejects.toMatchObject({ code: '22P05' });
    await expect(refused).rejects.not.toThrow('secret');
    expect(await target.count('clients')).toBe(0);
  });

  it('accepts the lines of the audit log in the order of their chain, and refuses a line that does not follow', async () => {
    const target = await targetAt(await createMigrated());
    await target.write('audit', [auditEntry(1), auditEntry(2)]);

    const forged = [auditEntry(3), auditEntry(4, { previousHash: entryHash(7) })];
    await expect(target.write('audit', forged)).rejects.toMatchObject({ constraint: 'audit_entries_chain' });
    await expect(target.write('audit', [auditEntry(4)])).rejects.toMatchObject({
      constraint: 'audit_entries_chain',
    });
    expect(await target.count('audit')).toBe(2);

    await target.write('audit', [auditEntry(3), auditEntry(4)]);
    expect(await target.read('audit', [2], 10)).toEqual([auditEntry(3), auditEntry(4)]);
  });

  it('assigns slots to at most ten keys that may be active; an eleventh is refused', async () => {
    const url = await createMigrated();
    const target = await targetAt(url);
    const key = (n: number, state: Partial<ApiKey> = {}): ApiKey => ({ ...aKey(n), ...state });
    const expired = Array.from({ length: 12 }, (_, n) => key(n, { expiresAt: new Date(1_000 + n) }));
    const active = Array.from({ length: 9 }, (_, n) => key(30 + n));
    await target.begin();
    await target.write('clients', [{ client: CLIENT, subscription: null }]);
    await target.write('apiKeys', expired);
    await target.write('apiKeys', [key(20, { revokedAt: new Date(5) }), ...active]);
    await target.finish();

    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());

    expect(await storage.apiKeys.issue(key(50))).toEqual({ outcome: 'issued' });
    expect(await storage.apiKeys.issue(key(51))).toEqual({ outcome: 'limit_reached' });
  });

  it('a copy from a database of another version is refused and changes nothing', async () => {
    const url = await server.createDatabase();
    await expect(createPostgresTransferSource({ url })).rejects.toMatchObject({ code: 'outdated' });
    const raw = rawConnection(onTestFinished, url);
    expect(await raw`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0);

    await migratePostgres({ url });
    await raw`insert into countersign_migrations (created_at, name, hash) values (9999999999999, 'later', '')`;
    for (const open of [createPostgresTransferSource, createPostgresTransferTarget]) {
      await expect(open({ url })).rejects.toMatchObject({ code: 'newer_version' });
    }
  });
});

const DETAILS = {
  displayName: 'Zoë',
  colour: '#1d4f91',
  supportAddress: 'help@shop.example',
  privacyAddress: null,
} as const;
const LOGO = { id: keyHash(8), width: 2, height: 1, content: new Uint8Array([0, 255, 137]) };

const UNRELEASED = { requestedBy: 'subject', ...NO_RELEASE } as const;

const ABOUT_NOTHING = { userId: null, targetId: 'target' } as const;

const RELEASED = {
  requestedBy: 'team_member',
  releasedAt: CLIENT.createdAt,
  releasedBy: 'staff',
  codeHash: 'hash',
  linkVersion: 3,
  expiresAt: CLIENT.createdAt,
  wrongCodes: 5,
  downloadedAt: CLIENT.createdAt,
  downloads: 4,
  declinedAt: new Date(CLIENT.createdAt.getTime() + 2),
  declineReason: 'excessive',
} as const;

/** Reads all entries in pages so small that each kind has several. */
async function pagesOf(target: PostgresTransferTarget): Promise<Record<string, unknown[]>> {
  const read: Record<string, unknown[]> = {};
  for (const kind of TRANSFER_KINDS) {
    const all: TransferEntries[TransferKind][] = [];
    const limit = (await target.count(kind)) > 3 ? 3 : 1;
    read[kind] = all;
    for (let after: TransferKey | null = null; ; ) {
      const page: readonly TransferEntries[TransferKind][] = await target.read(kind, after, limit);
      const last = page.at(-1);
      if (last === undefined) break;
      all.push(...page);
      after = transferKeyOf(kind, last);
    }
  }
  return read;
}

const SUBMITTED = { status: 'submitted', submittedAt: new Date(1_234) } as const;
const ERASURE = {
  clientId: CLIENT.id,
  verificationId: verificationId(70),
  at: CLIENT.createdAt,
  rule: 'requested',
  steps: 7,
  files: 4,
  events: 20,
  hash: keyHash(7),
} as const;

const STATES: readonly Partial<VerificationRecord>[] = [
  {},
  { ...SUBMITTED, claimedBy: 'reviewer', claimedAt: new Date(5_678) },
  { ...SUBMITTED, dataKey: { wrappedBy: 'key', wrapped: 'wrapped' }, sandboxOutcome: 'rejected' },
];

/** Endpoints of both clients, with a delivery and an attempt of each event. */
function givenWebhooks(
  events: readonly VerificationEvent[],
): Pick<
  { [K in TransferKind]: TransferEntries[K][] },
  'webhookEndpoints' | 'webhookDeliveries' | 'webhookAttempts'
> {
  const clientIds = [...new Set(events.map(({ clientId }) => clientId))].sort();
  const at = CLIENT.createdAt;
  const webhookEndpoints = clientIds.map((clientId) => ({
    id: clientId.replace(/^./, 'f'),
    clientId,
    url: 'https://receiver.example',
    name: '',
    types: ['verification.created' as const],
    state: 'active' as const,
    since: at,
    createdAt: at,
    createdBy: null,
    secret: { value: 'whsec_1', wrappedBy: 'key-1' },
    secretVersion: 3,
    previousSecret: { value: 'whsec_0', wrappedBy: null, validUntil: at },
    olderSecret: { value: 'whsec_00', wrappedBy: 'key-1', validUntil: at },
    failingSince: at,
  }));
  const places = events
    .map((event) => ({ event, clientId: event.clientId, endpointId: event.clientId.replace(/^./, 'f') }))
    .sort((a, b) => (`${a.clientId} ${a.event.id}` < `${b.clientId} ${b.event.id}` ? -1 : 1));
  return {
    webhookEndpoints,
    webhookDeliveries: places.map(({ event: { id: eventId, verificationId, version }, ...place }, n) => ({
      ...place,
      eventId,
      verificationId,
      version,
      type: 'verification.created',
      at,
      state: n === 0 ? 'waiting' : 'delivered',
      attempts: 1,
      dueAt: n === 0 ? at : null,
    })),
    webhookAttempts: places.map(({ event, ...place }) => ({
      ...place,
      eventId: event.id,
      id: event.id.replace(/^./, '7'),
      at,
      durationMs: 1.5,
      request: '{}',
      status: 200,
      response: 'ok',
      fault: null,
    })),
  };
}
