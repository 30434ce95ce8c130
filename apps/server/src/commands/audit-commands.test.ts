import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { newOperator, type Operator } from '../../test-support/operator.ts';

let operator: Operator;
beforeEach(() => {
  operator = newOperator();
  return operator.close;
});

interface Intact {
  readonly outcome: 'intact';
  readonly entries: number;
  readonly head: { readonly sequence: number; readonly hash: string };
}

const verify = () => operator.json<Intact>('audit', 'verify');

/** Seven lines: a client, its subscription, a key made and revoked, a switch; what is made has a second line with its id. */
async function givenActs(): Promise<string> {
  const { id } = await operator.newClient();
  await operator.json('subscription', 'set', '--client', id, '--plan', 'enterprise');
  const key = await operator.json<{ id: string; key: string }>(
    'key',
    'create',
    '--client',
    id,
    '--permissions',
    '*',
    '--name',
    'Shop',
  );
  await operator.json('key', 'revoke', key.id);
  await operator.json('client', 'sandbox', id, 'on');
  return id;
}

/** Writes to the database past the service, as somebody with access to the file could. */
function tamper(sql: string): void {
  const database = new DatabaseSync(join(operator.dataDir, 'countersign.db'), {
    enableForeignKeyConstraints: false,
  });
  try {
    const triggers = database.prepare("select name from sqlite_master where type = 'trigger'").all();
    for (const { name } of triggers) database.exec(`drop trigger "${String(name)}"`);
    database.exec(sql);
  } finally {
    database.close();
  }
}

describe('acts at the command line', () => {
  it('are in the audit log', async () => {
    const id = await givenActs();

    expect(await verify()).toMatchObject({ outcome: 'intact', entries: 7, head: { sequence: 7 } });
    const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
    const lines = await storage.audit.read(0, 100);
    await storage.close();
    expect(lines.map(({ action, outcome, actor, from }) => ({ action, outcome, actor, from }))).toEqual(
      [
        'clients.create',
        'clients.create',
        'clients.change_subscription',
        'api_keys.create',
        'api_keys.create',
        'api_keys.revoke',
        'clients.switch_sandbox',
      ].map((action) => ({ action, outcome: 'allowed', actor: { kind: 'operator', id: null }, from: null })),
    );
    expect(lines.map(({ clientId }) => clientId)).toEqual([null, id, id, id, id, id, id]);
  });

  it('that are refused are there too', async () => {
    const { exitCode } = await operator.run('client', 'sandbox', 'nobody', 'on');
    expect(exitCode).toBe(1);
    const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
    const lines = await storage.audit.read(0, 100);
    await storage.close();
    expect(lines.at(-1)).toMatchObject({
      action: 'clients.switch_sandbox',
      outcome: 'refused',
      detail: { code: 'CLIENT_NOT_FOUND' },
    });
  });
});

describe('audit verify', () => {
  it('prints the head, which a later run can be asked for', async () => {
    await givenActs();
    const { head } = await verify();
    await operator.newClient();

    const noted = `${head.sequence}:${head.hash}`;
    expect(await operator.json('audit', 'verify', '--noted', noted)).toMatchObject({ entries: 9 });
    expect((await operator.run('audit', 'verify')).out).toMatch(/^9 lines, and the chain is whole. Head: 9:/);
  });

  it('an empty log is whole', async () => {
    await operator.json('migrate');
    expect(await operator.json('audit', 'verify')).toEqual({ outcome: 'intact', entries: 0, head: null });
  });

  it.each([
    ['a changed line', "update audit_entries set actor_id = 'somebody' where sequence = 3", 3],
    ['a removed line', 'delete from audit_entries where sequence = 2', 3],
  ])('finds %s', async (_what, sql, line) => {
    await givenActs();
    tamper(sql);
    const { exitCode, out } = await operator.run('audit', 'verify');
    expect(exitCode).toBe(1);
    expect(out).toContain(`BROKEN at line ${line}`);
  });

  it('finds that the end was cut off, by what was noted down', async () => {
    await givenActs();
    const { head } = await verify();
    tamper('delete from audit_entries where sequence > 5');

    expect(await verify()).toMatchObject({ outcome: 'intact', entries: 5 });
    const { exitCode, out } = await operator.run('audit', 'verify', '--noted', `7:${head.hash}`, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toEqual({ outcome: 'not_the_noted_one', noted: head });
  });

  it('refuses a head that is none, and makes no database', async () => {
    expect(await operator.run('audit', 'verify', '--noted', '5')).toMatchObject({ exitCode: 2 });
    const { exitCode, err } = await operator.run('audit', 'verify');
    expect(exitCode).not.toBe(0);
    expect(err).toMatch(/^countersign: /);
  });
});
