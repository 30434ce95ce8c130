import { DatabaseSync } from 'node:sqlite';
import { type AccountsDatabase, migrateAccounts } from '@countersign/accounts';
import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import { createKeyRing, createSealing, rotateDataKeys } from '@countersign/sealing';
import { createSqliteStorage, type SqliteStorage } from '@countersign/storage-sqlite';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { webhookEndpoint } from '@countersign/test-support/records/webhook-endpoint';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { givenSealedVerifications } from '../../test-support/sealed-verifications.ts';
import type { Log } from '../logging/log.ts';
import { createSecretWatch, requireSecretsThatOpen } from './secret-check.ts';

const [OLD, NEW, OTHER] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer, Buffer];
const nameOf = (secret: Buffer) => createKeyRing([secret]).newest;

let storage: SqliteStorage;
let accounts: AccountsDatabase & { readonly kind: 'sqlite' };
let clientId: string;
let numbered: number;
beforeEach(async () => {
  const folder = temporaryFolder();
  storage = await createSqliteStorage({ file: `${folder}/countersign.db` });
  onTestFinished(() => storage.close());
  // A file of its own: this test changes it with another library of SQLite, which does not see locks in this process.
  accounts = { kind: 'sqlite', file: `${folder}/accounts.db` };
  new DatabaseSync(accounts.file).close();
  await migrateAccounts(accounts);
  clientId = 'cccccccc-0000-7000-8000-000000000001';
  numbered = 0;
  const client = { id: clientId, name: 'Acme', createdAt: new Date(0) };
  const plain = {
    returnAddresses: [],
    testOf: null,
    fileAccess: false,
    flowSettings: NEW_FLOW_SETTINGS,
    reasonTemplates: NO_TEMPLATES,
  };
  await storage.clients.create({ client: { ...client, ...plain }, subscription: null });
});

/** Seals a verification with the newest of these secrets. */
async function givenSealed(...secretKeys: Buffer[]): Promise<void> {
  await givenSealedVerifications(storage, { clientId, count: 1, first: numbered, secretKeys });
  numbered += 1;
}

async function givenEndpoint(secret: Buffer | null, n = 1): Promise<void> {
  const plain = storage.webhooks;
  const webhooks = secret === null ? plain : createSealing({ keys: createKeyRing([secret]) }).sealWebhooks(plain);
  await webhooks.add(webhookEndpoint({ id: `dddddddd-0000-7000-8000-00000000000${n}`, clientId }));
}

/** Stores a second factor whose secret has this version. */
function givenSecondFactor(version: string): void {
  runOnAccounts(`
    INSERT INTO staff_users (id, name, email, email_verified, role, created_at, updated_at)
    VALUES ('user-1', 'Ada', 'ada@example.com', 1, 'operator', '2026-01-01', '2026-01-01');
    INSERT INTO staff_two_factors (id, user_id, verified, secret, backup_codes)
    VALUES ('factor-1', 'user-1', 1, '$ba$${version}$aa', '$ba$${version}$bb');`);
}

function runOnAccounts(sql: string): void {
  const database = new DatabaseSync(accounts.file);
  database.exec(sql);
  database.close();
}

const settings = { secretKeys: [], dataDir: '/data', lostSecrets: [] as string[] };
const start = (...secretKeys: Buffer[]) => requireSecretsThatOpen({ storage, accounts, secretKeys }, settings);
const startWithLost = (lostSecrets: string[], ...secretKeys: Buffer[]) =>
  requireSecretsThatOpen({ storage, accounts, secretKeys }, { ...settings, lostSecrets });

describe('a start', () => {
  test('is accepted where nothing is sealed: in a new database, and beside a webhook secret that no key encrypted', async () => {
    await start(NEW);
    await givenEndpoint(null);
    await start(NEW);
  });

  test('is refused with secrets that open nothing, and the error names the secrets and the remedy', async () => {
    await givenSealed(OLD);
    await givenSealed(OTHER);
    const names = [nameOf(OLD), nameOf(OTHER)].sort();
    await expect(start(NEW)).rejects.toMatchObject({
      name: 'SettingError',
      message:
        `SECRET_KEYS opens none of the stored data, which is sealed by ${names.join(', ')}: expected the secrets of the servers that use ` +
        `this database. If they are lost for good, set LOST_SECRETS=${names.join(',')} (Lost secrets in docs/operations.md)`,
    });
    await startWithLost(names, NEW);
    await expect(startWithLost(names.slice(1), NEW)).rejects.toThrow(names[0]);
  });

  test('names the file of the secrets where SECRET_KEYS is not set', async () => {
    await givenSealed(OLD);
    const unset = { ...settings, secretKeys: undefined };
    await expect(requireSecretsThatOpen({ storage, accounts, secretKeys: [NEW] }, unset)).rejects.toThrow(
      /^\/data\/secret-keys opens none of the stored data/,
    );
  });

  test('is accepted while a rotation is in progress: one of the secrets opens something', async () => {
    await givenSealed(OLD);
    await start(NEW, OLD);
    await givenSealed(NEW);
    await start(OLD);
    await start(NEW);
  });

  test('is refused if only secrets of webhooks, or only second factors, are sealed by another secret', async () => {
    await givenEndpoint(OLD);
    await expect(start(NEW)).rejects.toThrow(nameOf(OLD));
    await start(OLD);

    await storage.webhooks.remove(clientId, 'dddddddd-0000-7000-8000-000000000001');
    await start(NEW);
    givenSecondFactor('12345');
    await expect(start(NEW)).rejects.toThrow('sealed by 12345:');
    await startWithLost(['12345'], NEW);
  });
});

describe('compare_secrets', () => {
  function watchWith(...secretKeys: Buffer[]) {
    const log = { event: vi.fn<Log['event']>(), warning: vi.fn<Log['warning']>() };
    return { ...createSecretWatch({ storage, accounts, secretKeys }, { lostSecrets: [nameOf(OTHER)], log }), log };
  }

  test('finds what another server with other secrets sealed on the same database, and warns once', async () => {
    await givenSealed(OLD);
    const { missing, job, log } = watchWith(OLD);
    await job.run();
    expect(missing()).toEqual([]);

    await givenSealed(NEW);
    await job.run();
    await job.run();

    expect(missing()).toEqual([nameOf(NEW)]);
    expect(log.warning).toHaveBeenCalledExactlyOnceWith(
      'SECRET_KEYS lacks secrets that sealed stored data: add them and restart this server',
      { secrets: [nameOf(NEW)] },
    );
  });

  test('finds secrets of webhooks and second factors, ignores lost secrets, and finds nothing after a rotation', async () => {
    await givenSealed(OTHER);
    await givenSealed(NEW);
    await givenEndpoint(NEW, 1);
    givenSecondFactor('12345');
    const { missing, job, log } = watchWith(OLD);
    await job.run();
    expect(missing()).toEqual(['12345', nameOf(NEW)].sort());

    await storage.webhooks.remove(clientId, 'dddddddd-0000-7000-8000-000000000001');
    await rotateDataKeys({ dataKeys: storage.dataKeys, keys: createKeyRing([OLD, NEW, OTHER]) });
    runOnAccounts('DELETE FROM staff_two_factors');
    await job.run();

    expect(missing()).toEqual([]);
    expect(log.event).toHaveBeenCalledExactlyOnceWith(
      'SECRET_KEYS has every secret that sealed stored data again',
    );
  });

  test('reads webhook secrets page after page', async () => {
    for (let n = 1; n <= 3; n += 1) await givenEndpoint(n === 3 ? NEW : OLD, n);
    const list = vi.spyOn(storage.webhooks, 'listSecretsNotWrappedBy');
    const { missing, job } = watchWith(OTHER, OLD);
    await job.run();
    expect(missing()).toEqual([nameOf(NEW)]);
    for (const [, , limit] of list.mock.calls) expect(limit).toBeLessThanOrEqual(200);
  });
});
