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

/** Runs actions that append seven audit entries: creating a client or a key appends a second entry with its id. */
async function givenActions(): Promise<string> {
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
  await operator.json('client', 'return-addresses', id, '--addresses', '');
  return id;
}

/** Changes the database file directly, as an attacker with access to the file could. */
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

describe('command line', () => {
  it('records its actions in the audit log', async () => {
    const id = await givenActions();

    expect(await verify()).toMatchObject({ outcome: 'intact', entries: 7, head: { sequence: 7 } });
    const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
    const lines = await storage.audit.read(0, 100);
    await storage.close();
    expect(lines.map(({ action, outcome, actor, from }) => ({ action, outcome, actor, from }))).toEqual(
      [
        'clients.create',
        'clients.create',
        'clients.change_subscription',
        'clients.create_api_key',
        'clients.create_api_key',
        'clients.revoke_api_key',
        'clients.set_return_addresses',
      ].map((action) => ({ action, outcome: 'allowed', actor: { kind: 'operator', id: null }, from: null })),
    );
    expect(lines.map(({ clientId }) => clientId)).toEqual([null, id, id, id, id, id, id]);
  });

  it('records refused actions in the audit log', async () => {
    const { exitCode } = await operator.run('client', 'return-addresses', 'unknown', '--addresses', '');
    expect(exitCode).toBe(1);
    const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
    const lines = await storage.audit.read(0, 100);
    await storage.close();
    expect(lines.at(-1)).toMatchObject({
      action: 'clients.set_return_addresses',
      outcome: 'refused',
      detail: { code: 'CLIENT_NOT_FOUND' },
    });
  });
});

describe('audit verify', () => {
  it('prints the head of the log, and a later run checks it with --noted', async () => {
    await givenActions();
    const { head } = await verify();
    await operator.newClient();

    const noted = `${head.sequence}:${head.hash}`;
    expect(await operator.json('audit', 'verify', '--noted', noted)).toMatchObject({ entries: 9 });
    expect((await operator.run('audit', 'verify')).out).toMatch(/^9 entries, and the chain is whole. Head: 9:/);
  });

  it('reports an empty log as intact', async () => {
    await operator.json('migrate');
    expect(await operator.json('audit', 'verify')).toEqual({ outcome: 'intact', entries: 0, head: null });
  });

  it.each([
    ['a changed entry', "update audit_entries set actor_id = 'somebody' where sequence = 3", 3],
    ['a removed entry', 'delete from audit_entries where sequence = 2', 3],
  ])('reports %s', async (_what, sql, line) => {
    await givenActions();
    tamper(sql);
    const { exitCode, out } = await operator.run('audit', 'verify');
    expect(exitCode).toBe(1);
    expect(out).toContain(`BROKEN at entry ${line}`);
  });

  it('reports entries removed from the end when given the noted head', async () => {
    await givenActions();
    const { head } = await verify();
    tamper('delete from audit_entries where sequence > 5');

    expect(await verify()).toMatchObject({ outcome: 'intact', entries: 5 });
    const { exitCode, out } = await operator.run('audit', 'verify', '--noted', `7:${head.hash}`, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toEqual({ outcome: 'not_the_noted_one', noted: head });
  });

  it('refuses a malformed head and creates no database', async () => {
    expect(await operator.run('audit', 'verify', '--noted', '5')).toMatchObject({ exitCode: 2 });
    const { exitCode, err } = await operator.run('audit', 'verify');
    expect(exitCode).not.toBe(0);
    expect(err).toMatch(/^countersign: /);
  });
});
