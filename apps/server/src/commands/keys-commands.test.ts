// Starts the command line for each case, on sealed installations.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccounts } from '@countersign/accounts';
import { createFixedClock, createMemoryRateLimiter } from '@countersign/memory';
import { createKeyRing } from '@countersign/sealing';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { define } from '@countersign/test-support/installation/database-file';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { newOperator, type Operator } from '../../test-support/operator.ts';
import { givenSealedVerifications, LAST_NAME, lastNamesIn } from '../../test-support/sealed-verifications.ts';
import { createSqliteDatabase } from '../database/sqlite-database.ts';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const ringOf = (...secrets: Buffer[]) => secrets.map((secret) => secret.toString('base64')).join(',');
const newestKey = createKeyRing([NEW]).newest;

let operator: Operator;
let clientId: string;
beforeEach(async () => {
  operator = newOperator();
  ({ id: clientId } = await operator.newClient());
});

const file = () => join(operator.dataDir, 'countersign.db');
/** For a server on a sound database. */
const NOTHING_FOUND = {
  onFault: (fault: unknown) => expect.unreachable(String(fault)),
  onDamage: (reason: string) => expect.unreachable(reason),
};
const rotate = (secretKeys: string, ...more: string[]) =>
  runCommand(['keys', 'rotate', ...more], { DATA_DIR: operator.dataDir, SECRET_KEYS: secretKeys });

async function openStorage() {
  const storage = await createSqliteStorage({ file: file() });
  onTestFinished(() => storage.close());
  return storage;
}

describe('keys rotate', () => {
  test('re-wraps each data key that an older key wrapped, once', async () => {
    const storage = await openStorage();
    await givenSealedVerifications(storage, { clientId, count: 5, secretKeys: [OLD] });

    const { exitCode, out, err } = await rotate(ringOf(NEW, OLD), '--json');

    expect([exitCode, JSON.parse(out)]).toEqual([
      0,
      { rewrapped: 5, webhookSecrets: 0, indexKeys: 0, secondFactors: 0, newestKey },
    ]);
    expect(err).toBe('re-wrapping data keys: 0 of 5\nre-wrapping data keys: 5 of 5\n');
    expect(await lastNamesIn(storage, { clientId, secretKeys: [NEW] })).toEqual(Array(5).fill(LAST_NAME));
    expect(await rotate(ringOf(NEW, OLD), '--json')).toEqual({
      exitCode: 0,
      out: `{"rewrapped":0,"webhookSecrets":0,"indexKeys":0,"secondFactors":0,"newestKey":"${newestKey}"}\n`,
      err: '',
    });
  });

  test('goes on where a secret is lost for good: what it wrapped stays, everything else is re-wrapped', async () => {
    const storage = await openStorage();
    const LOST = Buffer.alloc(32, 9);
    await givenSealedVerifications(storage, { clientId, count: 1, secretKeys: [LOST] });
    await givenSealedVerifications(storage, { clientId, count: 2, first: 1, secretKeys: [OLD] });
    await storage.close();
    expect((await runCommand(['migrate'], { DATA_DIR: operator.dataDir })).exitCode).toBe(0);
    define(
      file(),
      `INSERT INTO staff_users (id, name, email, email_verified, role, created_at, updated_at)
       VALUES ('user-1', 'Ada', 'ada@example.com', 1, 'operator', '2026-01-01', '2026-01-01');
       INSERT INTO staff_two_factors (id, user_id, verified, secret, backup_codes)
       VALUES ('factor-1', 'user-1', 1, '$ba$12345$aa', '$ba$12345$bb')`,
    );
    const lost = `${createKeyRing([LOST]).newest},12345`;

    const { exitCode, out, err } = await runCommand(['keys', 'rotate', '--json'], {
      DATA_DIR: operator.dataDir,
      SECRET_KEYS: ringOf(NEW, OLD),
      LOST_SECRETS: lost,
    });

    expect(exitCode, err).toBe(0);
    expect(JSON.parse(out)).toEqual({
      rewrapped: 2,
      webhookSecrets: 0,
      indexKeys: 0,
      secondFactors: 0,
      newestKey,
    });
    expect((await rotate(ringOf(NEW, OLD))).exitCode).toBe(1);
  });

  test('reseals second factors of staff, and warns of a server that is not restarted even if it re-wraps nothing else', async () => {
    const accountsWith = async (secretKeys: readonly Uint8Array[]) => {
      const clock = createFixedClock(new Date());
      const accounts = await createAccounts({
        database: { kind: 'sqlite', file: file() },
        secretKeys,
        clock,
        publicBaseUrl: 'https://verify.example',
        rateLimiter: createMemoryRateLimiter(clock),
      });
      onTestFinished(() => accounts.close());
      return accounts;
    };
    const accounts = await accountsWith([OLD]);
    const made = await accounts.create({ email: 'ann@example.com', role: 'reviewer' });
    if (made.outcome !== 'created') throw new Error(made.outcome);
    const token = made.invitationPath.split('/').at(-1) ?? '';
    const visitor = { cookies: undefined, clientAddress: '192.0.2.1' };
    const password = 'violet anchor 7 gravel';
    const signedIn = await accounts.acceptInvitation(visitor, { token, password });
    if (signedIn.outcome !== 'signed_in') throw new Error(signedIn.outcome);
    const [cookies] = signedIn.setCookies.map((cookie) => cookie.split(';')[0]);
    expect((await accounts.beginSecondFactor({ ...visitor, cookies }, password)).outcome).toBe('begun');

    const lacking = await rotate(ringOf(NEW), '--json');
    expect([lacking.exitCode, lacking.out]).toEqual([1, '']);
    expect(lacking.err).toMatch(
      /^countersign: 1 second factor is sealed by a secret that SECRET_KEYS does not contain/,
    );
    const serving = await createSqliteDatabase(
      { kind: 'sqlite', file: file() },
      { dataDir: operator.dataDir, migrate: false },
    ).openForServing(NOTHING_FOUND);
    onTestFinished(() => serving.close());
    const first = await rotate(ringOf(NEW, OLD), '--json');
    expect(first.err).toMatch(
      /^Warning: a server is serving this database\. [^\n]+ second factors at sign-in [^\n]+\n$/,
    );
    expect(JSON.parse(first.out)).toMatchObject({ rewrapped: 0, secondFactors: 1 });
    expect(await rotate(ringOf(NEW, OLD), '--json')).toMatchObject({
      out: expect.stringContaining('"secondFactors":0'),
      err: '',
    });
  });

  test('prints the counts as text, and why older keys are still needed', async () => {
    await givenSealedVerifications(await openStorage(), { clientId, count: 1, secretKeys: [OLD] });
    expect((await rotate(ringOf(NEW, OLD))).out).toBe(
      `Re-wrapped 1 data key, 0 webhook secrets, 0 index keys and 0 second factors; all are wrapped by the newest secret (${newestKey}) now\n` +
        'Keep older secrets until the links that they signed have expired (docs/operations.md, Secrets)\n',
    );
  });

  test('reads the key ring from the data directory when SECRET_KEYS is not set', async () => {
    const storage = await openStorage();
    await givenSealedVerifications(storage, { clientId, count: 2, secretKeys: [OLD] });
    writeFileSync(join(operator.dataDir, 'secret-keys'), `${NEW.toString('hex')}\n${OLD.toString('hex')}\n`);

    expect((await operator.run('keys rotate --json')).out).toBe(
      `{"rewrapped":2,"webhookSecrets":0,"indexKeys":0,"secondFactors":0,"newestKey":"${newestKey}"}\n`,
    );
    expect(await lastNamesIn(storage, { clientId, secretKeys: [NEW] })).toEqual([LAST_NAME, LAST_NAME]);
  });

  test('works while a server seals new data', async () => {
    const serving = await createSqliteDatabase(
      { kind: 'sqlite', file: file() },
      { dataDir: operator.dataDir, migrate: false },
    ).openForServing(NOTHING_FOUND);
    onTestFinished(() => serving.close());
    await givenSealedVerifications(serving, { clientId, count: 150, secretKeys: [OLD] });

    const [rotation] = await Promise.all([
      rotate(ringOf(NEW, OLD), '--json'),
      givenSealedVerifications(serving, { clientId, first: 150, count: 50, secretKeys: [NEW, OLD] }),
    ]);

    expect(rotation.err).toMatch(
      /^Warning: a server is serving this database\. If you have not restarted it [^\n]+\(UNKNOWN_KEY in its log[^\n]+\nre-wrapping/,
    );
    expect(rotation).toMatchObject({
      exitCode: 0,
      out: `{"rewrapped":150,"webhookSecrets":0,"indexKeys":0,"secondFactors":0,"newestKey":"${newestKey}"}\n`,
    });
    expect(await lastNamesIn(serving, { clientId, secretKeys: [NEW] })).toEqual(Array(200).fill(LAST_NAME));
  });

  test('fails in one line when an older key is missing, and changes nothing', async () => {
    const storage = await openStorage();
    await givenSealedVerifications(storage, { clientId, count: 3, secretKeys: [OLD] });

    const { exitCode, out, err } = await rotate(ringOf(NEW), '--json');

    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^countersign: The rotation is not complete: 3 data keys cannot be unwrapped\. Verification [0-9a-f-]+ is sealed by a secret that SECRET_KEYS does not contain$/m,
    );
    expect(await lastNamesIn(storage, { clientId, secretKeys: [OLD] })).toEqual(Array(3).fill(LAST_NAME));
  });

  test('refuses to run without secrets, and creates neither secrets nor a database', async () => {
    const elsewhere = newOperator();
    expect(await elsewhere.run('keys rotate')).toEqual({
      exitCode: 78,
      out: '',
      err: `countersign: SECRET_KEYS is not set, and ${elsewhere.dataDir} has no secret-keys file: expected the secrets of the servers, newest first\n`,
    });
    expect(readdirSync(elsewhere.dataDir)).toEqual([]);
  });

  test('refuses invalid secrets without quoting them', async () => {
    const { exitCode, err } = await rotate(`${ringOf(NEW)},hunter2`);
    expect(exitCode).toBe(78);
    expect(err).toMatch(/^countersign: SECRET_KEYS entry 2 of 2 is [^\n]+\n$/);
    expect(err).not.toContain('hunter2');
  });
});
