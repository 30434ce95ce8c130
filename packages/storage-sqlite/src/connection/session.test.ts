import { join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { createSession } from './session.ts';

it('readAtOnce: reads one snapshot while others write', async () => {
  const { session, count, insertFromElsewhere } = given();

  const counts = await session.readAtOnce(() => {
    const before = count();
    insertFromElsewhere();
    return [before, count()];
  });

  expect(counts).toEqual([0, 0]);
  expect(await session.read(count)).toBe(1);
});

it('leaves no transaction behind when a read fails', async () => {
  const { session, count, insertFromElsewhere } = given();

  const reading = session.readAtOnce(() => {
    count();
    throw new Error('corrupt');
  });

  await expect(reading).rejects.toThrow('corrupt');
  insertFromElsewhere();
  expect(await session.readAtOnce(count)).toBe(1);
});

it('readPage: pages that are requested at the same time are read in one iteration of the event loop each', async () => {
  const { session } = given();
  let iteration = 0;
  let isRead = false;
  const count = () => {
    iteration += 1;
    if (!isRead) setImmediate(count);
  };
  count();

  const iterations = await Promise.all([1, 2, 3, 4].map(() => session.readPage(() => iteration)));
  isRead = true;

  expect(new Set(iterations).size).toBe(4);
  expect(iterations).toEqual(iterations.toSorted((a, b) => a - b));
});

it('readPage: a page that cannot be read does not hold up the next one', async () => {
  const { session, count } = given();

  const broken = session.readPage(() => {
    throw new Error('corrupt');
  });
  const next = session.readPage(count);

  await expect(broken).rejects.toThrow('corrupt');
  expect(await next).toBe(0);
});

it('read: a lock of another process is SERVICE_UNAVAILABLE; other faults pass through', async () => {
  const { session } = given();
  const failing = (code: string) =>
    session.read(() => {
      throw new Database.SqliteError('no', code);
    });

  await expect(failing('SQLITE_BUSY_RECOVERY')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(failing('SQLITE_ERROR')).rejects.toMatchObject({ code: 'SQLITE_ERROR' });
});

it('close: several calls close once, after the writes that have begun', async () => {
  const { session, insert } = given();
  const written = session.write(() => ({ keep: true, value: insert() }));

  await Promise.all([session.close(), session.close()]);

  await expect(written).resolves.toBe(1);
  await expect(session.read(() => 1)).rejects.toThrow('closed');
});

function given() {
  const file = join(temporaryDirectory(onTestFinished), 'test.db');
  const other = rawConnection(onTestFinished, file);
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (n)');
  const connection = rawConnection(onTestFinished, file);
  const session = createSession(connection, { waitMs: 5_000 });
  return {
    session,
    count: () => connection.prepare('SELECT count(*) FROM rows').pluck().get(),
    insert: () => connection.prepare('INSERT INTO rows VALUES (1)').run().changes,
    insertFromElsewhere: () => other.exec('INSERT INTO rows VALUES (1)'),
  };
}

describe('a disk that is full or read-only', () => {
  it.each([
    ['full', 'max_page_count = 1', 'max_page_count = 1000000'],
    ['read-only', 'query_only = ON', 'query_only = OFF'],
  ])(
    '%s: writes reject with SERVICE_UNAVAILABLE, reads succeed, and later writes too',
    async (_, fails, recovers) => {
      const connection = rawConnection(onTestFinished, await givenDatabase(onTestFinished));
      const session = createSession(connection, { waitMs: 0 });
      const name = () => connection.prepare('SELECT name FROM clients').pluck().get();
      const rename = (to: string) =>
        session.write(() => {
          connection.prepare('UPDATE clients SET name = ?').run(to.repeat(100_000));
          return { keep: true, value: 'written' };
        });

      connection.pragma(fails);
      await expect(Promise.allSettled([rename('a'), rename('b')])).resolves.toMatchObject([
        { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } },
        { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } },
      ]);
      expect(await session.read(name)).toBe('Client');
      session.requireSound();

      connection.pragma(recovers);
      expect(await rename('c')).toBe('written');
      expect(await session.read(name)).toBe('c'.repeat(100_000));
    },
  );
});
