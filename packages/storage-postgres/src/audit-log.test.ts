import { auditEntry, entryHash } from '@countersign/test-support/records/audit-entry';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import type postgres from 'postgres';
import { expect, it, onTestFinished } from 'vitest';
import { givenMigrated } from '../test-support/migrated.ts';
import { rawConnection } from '../test-support/raw.ts';
import { createPostgresStorage } from './postgres-storage.ts';

describeWith(['postgres'], 'the audit log', () => {
  const createMigrated = givenMigrated(givenPostgres());

  async function givenLog(lines: number) {
    const url = await createMigrated();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    for (let n = 1; n <= lines; n += 1) await storage.audit.append(auditEntry(n));
    return { storage, raw: rawConnection(onTestFinished, url) };
  }

  it.each([
    ['a changed line', "update audit_entries set detail = '{}' where sequence = 2", 'UPDATE'],
    ['a removed line', 'delete from audit_entries where sequence = 3', 'DELETE'],
    ['an update without matching lines', 'update audit_entries set detail = detail where false', 'UPDATE'],
    ['an emptied table', 'truncate audit_entries', 'TRUNCATE'],
    ['one that is emptied among others', 'truncate clients, audit_entries cascade', 'TRUNCATE'],
    [
      'a second line with the same number',
      `insert into audit_entries select * from audit_entries where sequence = 3
       on conflict (sequence) do update set detail = '{}'`,
      'UPDATE',
    ],
  ])('refuses %s by any user and says why', async (_, statement, operation) => {
    const { storage, raw } = await givenLog(3);

    await expect(raw.unsafe(statement)).rejects.toMatchObject({
      code: '23001',
      message: `The audit log is append-only: ${operation} is refused`,
    });

    expect(await storage.audit.read(0, 10)).toEqual([auditEntry(1), auditEntry(2), auditEntry(3)]);
  });

  it.each([
    ['with a gap', { sequence: 5, previous: 4 }, 'audit_entries_chain'],
    ['that says it follows another', { sequence: 5, previous: 3 }, 'audit_entries_without_gap'],
    ['after another hash', { previousHash: entryHash(7) }, 'audit_entries_chain'],
    ['in a place that is taken', { sequence: 3, previous: 2, previousHash: entryHash(2) }, 'audit_entries_pk'],
    [
      'that begins a second chain',
      { sequence: 1, previous: null, previousHash: entryHash(0) },
      'audit_entries_pk',
    ],
    ['that follows nothing', { previousHash: entryHash(0) }, 'audit_entries_first_follows_nothing'],
    ['with the hash of another', { hash: entryHash(1) }, 'audit_entries_hash'],
    ['with half a hash', { hash: '00' }, 'audit_entries_hash_length'],
    ['of an unknown actor', { actorKind: 'subject' }, 'audit_entries_known_actor_kind'],
    ['of an unknown outcome', { outcome: 'done' }, 'audit_entries_known_outcome'],
  ])('refuses a line %s from any user', async (_, given, constraint) => {
    const { raw } = await givenLog(3);

    await expect(insert(raw, given)).rejects.toMatchObject({ constraint_name: constraint });

    await insert(raw, {});
  });

  it('a role that may only insert can append lines', async () => {
    const { storage, raw } = await givenLog(3);
    const role = `writer_${Date.now()}`;
    await raw.unsafe(`create role ${role}; grant select, insert on audit_entries to ${role}; set role ${role}`);
    onTestFinished(async () => void (await raw.unsafe(`reset role; drop owned by ${role}; drop role ${role}`)));

    await insert(raw, {});

    for (const change of ['delete from', 'truncate', 'alter table']) {
      const rest = change === 'alter table' ? 'disable trigger audit_entries_append_only' : '';
      await expect(raw.unsafe(`${change} audit_entries ${rest}`)).rejects.toMatchObject({ code: '42501' });
    }
    expect(await storage.audit.head()).toEqual({ sequence: 4, hash: entryHash(4) });
  });

  it('append: a hash that another line has is a fault, not a conflict', async () => {
    const { storage } = await givenLog(3);

    const appending = storage.audit.append(auditEntry(4, { hash: entryHash(1) }));

    await expect(appending).rejects.toMatchObject({ code: '23505', constraint: 'audit_entries_hash' });
    expect(await storage.audit.head()).toEqual({ sequence: 3, hash: entryHash(3) });
  });
});

interface Given {
  readonly sequence?: number;
  readonly previous?: number | null;
  readonly previousHash?: string;
  readonly hash?: string;
  readonly actorKind?: string;
  readonly outcome?: string;
}

/** Inserts the fourth line directly, without the adapter. */
async function insert(raw: postgres.Sql, given: Given): Promise<void> {
  const { sequence = 4, previous = 3, previousHash = entryHash(3), hash = entryHash(4) } = given;
  const { actorKind = 'operator', outcome = 'allowed' } = given;
  await raw`
    insert into audit_entries (sequence, at, actor_kind, action, outcome, detail, previous_sequence, previous_hash, hash)
    values (${sequence}, now(), ${actorKind}, 'clients.create', ${outcome}, '{}', ${previous},
      decode(${previousHash}, 'hex'), decode(${hash}, 'hex'))`;
}
