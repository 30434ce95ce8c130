import { join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';

describe('group commit', () => {
  it('commits once for writes that arrive together, and answers each with its own value', async () => {
    const { write, insert, log, stored } = given();

    const values = await Promise.all([1, 2, 3].map((n) => write(() => insert(n))));

    expect(values).toEqual([1, 2, 3]);
    expect(stored()).toEqual([1, 2, 3]);
    expect(log.filter((sql) => sql === 'COMMIT')).toHaveLength(1);
  });

  it('splits many writes into batches, so that other processes can write in between', async () => {
    const { write, insert, log } = given();

    await Promise.all(Array.from({ length: 600 }, (_, n) => write(() => insert(n))));

    expect(log.filter((sql) => sql === 'COMMIT')).toHaveLength(3);
  });

  it('undoes a write that throws and keeps the others', async () => {
    const { write, insert, stored } = given();

    const results = await Promise.allSettled([
      write(() => insert(1)),
      write(() => {
        insert(2);
        throw new Error('halfway');
      }),
      write(() => insert(1)),
      write(() => insert(3)),
    ]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(stored()).toEqual([1, 3]);
  });

  it('undoes a write with keep: false, and still answers it', async () => {
    const { write, insert, stored } = given();

    const values = await Promise.all([
      write(() => ({ keep: false, value: insert(1).value + 100 })),
      write(() => insert(2)),
    ]);

    expect(values).toEqual([101, 2]);
    expect(stored()).toEqual([2]);
  });

  it('a failed commit keeps nothing and rejects every write of the batch; later writes succeed', async () => {
    const { connection, write, insert, stored } = given();

    const results = await Promise.allSettled([
      write(() => insert(1)),
      write(() => {
        connection.pragma('defer_foreign_keys = ON');
        connection.exec('INSERT INTO children (parent) VALUES (99)');
        return insert(2);
      }),
    ]);

    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(stored()).toEqual([]);
    expect(await write(() => insert(3))).toBe(3);
    expect(stored()).toEqual([3]);
  });

  it('a full disk keeps nothing and rejects every write of the batch; writes succeed once there is room', async () => {
    const { connection, write, insert, stored } = given();
    const pages = Number(connection.pragma('page_count', { simple: true }));
    connection.pragma(`max_page_count = ${pages}`);

    const results = await Promise.allSettled([
      write(() => insert(1)),
      write(() => insert(2, 'x'.repeat(100_000))),
      write(() => insert(3)),
    ]);

    expect(results.map(reasonOf)).toEqual(Array(3).fill(expect.objectContaining({ code: 'SQLITE_FULL' })));
    expect(stored()).toEqual([]);
    connection.pragma('max_page_count = 100000');
    expect(await write(() => insert(4, 'x'.repeat(100_000)))).toBe(4);
    expect(stored()).toEqual([4]);
  });

  it('waits for another process that writes; reads continue', async () => {
    const { file, write, insert, stored } = given();
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');

    const written = write(() => insert(1));
    await new Promise((done) => setTimeout(done, 0));
    await new Promise((done) => setImmediate(done));
    expect(stored()).toEqual([]);
    other.close();

    expect(await written).toBe(1);
  });

  it('gives up waiting at the deadline, with nothing written', async () => {
    const { file, write, insert, stored } = given({ waitMs: 20 });
    const other = new Database(file);
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');

    await expect(write(() => insert(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    other.exec('ROLLBACK');
    expect(await write(() => insert(2))).toBe(2);
    expect(stored()).toEqual([2]);
  });

  it('close finishes earlier writes and refuses later ones', async () => {
    const { write, insert, close, stored } = given();
    const written = [1, 2].map((n) => write(() => insert(n)));

    const closed = close();
    await expect(write(() => insert(3))).rejects.toThrow('closed');
    await closed;

    expect(await Promise.all(written)).toEqual([1, 2]);
    expect(stored()).toEqual([1, 2]);
  });
});

function given({ waitMs = 5_000 } = {}) {
  const file = join(temporaryDirectory(onTestFinished), 'test.db');
  const log: string[] = [];
  const connection = new Database(file, { timeout: 5, verbose: (sql) => log.push(String(sql)) });
  onTestFinished(() => void connection.close());
  connection.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE numbers (n INTEGER PRIMARY KEY, text TEXT);
    CREATE TABLE children (parent INTEGER REFERENCES numbers (n));
  `);
  const statement = connection.prepare('INSERT INTO numbers VALUES (?, ?)');
  const { write, close }: GroupCommit = createGroupCommit(connection, { waitMs });
  return {
    file,
    connection,
    log,
    write,
    close,
    insert(n: number, text = '') {
      statement.run(n, text);
      return { keep: true, value: n };
    },
    stored: () => connection.prepare<[], number>('SELECT n FROM numbers ORDER BY n').pluck().all(),
  };
}

function reasonOf(result: PromiseSettledResult<unknown>): unknown {
  return result.status === 'rejected' ? result.reason : result.value;
}
