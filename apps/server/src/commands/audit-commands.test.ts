// Starts the command line for each case: each run is an entry of the audit log.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuditEntry } from '@countersign/domain';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { auditEntry } from '@countersign/test-support/records/audit-entry';
import { describe, expect, it } from 'vitest';
import { operatorOfEachTest } from '../../test-support/operator.ts';
import { runCommandLine } from './command-line.ts';

const operator = operatorOfEachTest();

interface Intact {
  readonly outcome: 'intact';
  readonly entries: number;
  readonly head: { readonly sequence: number; readonly hash: string };
}

const verify = () => operator.json<Intact>('audit verify');

/** Runs actions that append seven audit entries: creating a client or a key appends a second entry with its id. */
async function givenActions(): Promise<string> {
  const { id } = await operator.newClient();
  await operator.json(`subscription set --client ${id} --plan enterprise`);
  const key = await operator.json<{ id: string; key: string }>(
    `key create --client ${id} --permissions * --name Shop`,
  );
  await operator.json(`key revoke ${key.id}`);
  await operator.json(`client return-addresses ${id} --addresses`, '');
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
    const { exitCode } = await operator.run('client return-addresses unknown --addresses', '');
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
    expect(await operator.json(`audit verify --noted ${noted}`)).toMatchObject({ entries: 9 });
    const lastNotedCheck = { at: expect.any(String), noted: head.sequence, outcome: 'intact' };
    expect(await operator.json('doctor')).toMatchObject({ audit: { lastNotedCheck } });
    expect((await operator.run('audit verify')).out).toMatch(/^9 entries, and the chain is whole. Head: 9:/);
  });

  it('reports an empty log as intact', async () => {
    await operator.json('migrate');
    expect(await operator.json('audit verify')).toEqual({ outcome: 'intact', entries: 0, head: null });
  });

  it.each([
    ['a changed entry', "update audit_entries set actor_id = 'somebody' where sequence = 3", 3],
    ['a removed entry', 'delete from audit_entries where sequence = 2', 3],
  ])('reports %s', async (_what, sql, line) => {
    await givenActions();
    tamper(sql);
    const { exitCode, out } = await operator.run('audit verify');
    expect(exitCode).toBe(1);
    expect(out).toContain(`BROKEN at entry ${line}`);
  });

  it('reports entries removed from the end when given the noted head', async () => {
    await givenActions();
    const { head } = await verify();
    tamper('delete from audit_entries where sequence > 5');

    expect(await verify()).toMatchObject({ outcome: 'intact', entries: 5 });
    const { exitCode, out } = await operator.run(`audit verify --noted 7:${head.hash} --json`);
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toEqual({ outcome: 'not_the_noted_one', noted: head });
  });

  it('refuses a malformed head and creates no database', async () => {
    expect(await operator.run('audit verify --noted 5')).toMatchObject({ exitCode: 2 });
    const { exitCode, err } = await operator.run('audit verify');
    expect(exitCode).not.toBe(0);
    expect(err).toMatch(/^countersign: /);
  });
});

describe('audit export', () => {
  const exported = async (...args: string[]) => {
    const { out, err, exitCode } = await operator.run('audit export', ...args);
    const lines = out === '' ? [] : out.trimEnd().split('\n');
    return { exitCode, err, entries: lines.map((line) => JSON.parse(line) as AuditEntry) };
  };
  const sequences = (entries: readonly AuditEntry[]) => entries.map(({ sequence }) => sequence);

  it('prints one entry on each line, the oldest first, as the log has them', async () => {
    await givenActions();
    const { entries, err, exitCode } = await exported();
    expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 });
    const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
    expect(entries).toEqual(JSON.parse(JSON.stringify(await storage.audit.read(0, 100))));
    await storage.close();
    expect(sequences(entries)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('prints lines whose hashes others can compute again', async () => {
    await givenActions();
    let previous = '0'.repeat(64);
    for (const { hash, ...entry } of (await exported()).entries) {
      expect(entry.previousHash).toBe(previous);
      expect(createHash('sha256').update(sortedJson(entry)).digest('hex')).toBe(hash);
      previous = hash;
    }
  });

  it('continues after an entry, by its number or by number and hash', async () => {
    await givenActions();
    const { entries } = await exported();
    const third = `3:${entries[2]?.hash}`;
    expect((await exported('--after', '3')).entries).toEqual(entries.slice(3));
    expect((await exported('--after', third)).entries).toEqual(entries.slice(3));
    expect((await exported('--after', '0')).entries).toEqual(entries);
    expect(await exported('--after', `7:${entries[6]?.hash}`)).toEqual({ exitCode: 0, err: '', entries: [] });
  });

  it.each(['8', '999999999999999', `3:${'0'.repeat(64)}`])('refuses to continue after %s', async (after) => {
    await givenActions();
    const { exitCode, err, entries } = await exported('--after', after);
    expect({ exitCode, entries }).toEqual({ exitCode: 1, entries: [] });
    expect(err).toMatch(
      /^countersign: The audit log has no entry \d+.*: it was shortened or rewritten, or is another log\n$/,
    );
  });

  it.each(['-1', '1.5', 'last', '1:abc', '1000000000000000'])(
    'refuses --after %s as a wrong command line',
    async (after) => {
      expect((await operator.run(`audit export --after=${after}`)).exitCode).toBe(2);
    },
  );

  it('prints one array with --json, also of an empty log', async () => {
    await operator.json('migrate');
    expect(await operator.json('audit export')).toEqual([]);
    expect((await exported()).entries).toEqual([]);
    await givenActions();
    expect(sequences(await operator.json('audit export'))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(sequences(await operator.json('audit export --after 5'))).toEqual([6, 7]);
  });

  it('ends before the first entry that was changed, with exit code 1', async () => {
    await givenActions();
    tamper("update audit_entries set detail = '{}' where sequence = 4");
    const { exitCode, err, entries } = await exported();
    expect(sequences(entries)).toEqual([1, 2, 3]);
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: 'countersign: The audit log is BROKEN at entry 4: its content was changed\n',
    });
    expect(sequences((await exported('--after', '4')).entries)).toEqual([5, 6, 7]);
    const { out, exitCode: withJson } = await operator.run('audit export --json');
    expect(sequences(JSON.parse(out) as AuditEntry[])).toEqual([1, 2, 3]);
    expect(withJson).toBe(1);
  });

  it('reads the next entries only once the reader has taken those before', async () => {
    await givenEntries(250);
    const printed: number[] = [];
    const out = (text: string) => void printed.push(text.split('\n').length - 1);
    const io = { environment: { DATA_DIR: operator.dataDir }, out, err: out };
    let isTaken: (takes: boolean) => void = () => undefined;
    let asked: () => void = () => undefined;
    const nextQuestion = () => new Promise<void>((resolve) => (asked = resolve));
    const canPrint = () =>
      new Promise<boolean>((resolve) => {
        isTaken = resolve;
        asked();
      });
    let question = nextQuestion();
    const running = runCommandLine(['audit', 'export'], { ...io, canPrint });
    await question;
    expect(printed).toEqual([100]);
    question = nextQuestion();
    isTaken(true);
    await question;
    expect(printed).toEqual([100, 100]);
    // Its reader has left, such as head.
    isTaken(false);
    expect(await running).toBe(0);
    expect(printed).toEqual([100, 100]);
  });

  async function givenEntries(count: number): Promise<void> {
    const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
    let previousHash = '0'.repeat(64);
    for (let sequence = 1; sequence <= count; sequence += 1) {
      const { hash: _, ...entry } = auditEntry(sequence, { previousHash });
      const hash = createHash('sha256').update(sortedJson(entry)).digest('hex');
      await storage.audit.append({ ...entry, hash });
      previousHash = hash;
    }
    await storage.close();
  }
});

/** JSON with the keys of all objects sorted, which are plain ASCII here. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
