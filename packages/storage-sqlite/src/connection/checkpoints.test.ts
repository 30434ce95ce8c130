import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { rawConnection } from '../../test-support/given-database.ts';
import { setPragmas, WAL_KEPT_BYTES } from './connection.ts';
import { createSession } from './session.ts';

const MEBIBYTE = 1024 * 1024;

/** Pages of the write-ahead log. */
type Log = { readonly written: number; readonly copied: number };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  return () => vi.useRealTimers();
});

describe('the write-ahead log', () => {
  it('the write-ahead log is moved into the database once it has 1,000 pages, and begins again with the next commit', async () => {
    const { write, log, apart } = given();

    await write(900);
    expect(log().copied).toBe(0);
    await write(200);
    expect(log().copied).toBe(log().written);
    await write(1);

    expect(log().written).toBeLessThan(10);
    expect(apart.calls).toBe(0);
  });

  it('a write-ahead log that commits fill again immediately is moved in the thread, after 4,000 pages', async () => {
    const { write, log, apart } = given();
    await write(1_100);
    vi.advanceTimersByTime(4_999);
    await write(3_900);
    expect({ ...log(), calls: apart.calls }).toMatchObject({ copied: 0, calls: 0 });

    await write(200);
    await apart.finish();
    expect(log().copied).toBe(log().written);
    await write(1);

    expect({ isShort: log().written < 10, calls: apart.calls }).toEqual({ isShort: true, calls: 1 });
  });

  it('a write-ahead log that commits fill again after 5 seconds is moved on the event loop', async () => {
    const { write, log, apart } = given();
    await write(1_100);
    vi.advanceTimersByTime(5_000);
    await write(1_100);

    expect(log().copied).toBe(log().written);
    expect(apart.calls).toBe(0);
  });

  it('a write-ahead log that a reader held up is moved in the thread, and no commit waits for it', async () => {
    const { write, log, apart, reader } = given();
    apart.hold();
    reader.begin();
    await write(6_000);
    reader.end();
    await write(1);
    await write(1);
    expect({ ...log(), calls: apart.calls }).toMatchObject({ copied: 0, calls: 1 });

    await apart.finish();
    expect(log().copied).toBe(log().written);
    await write(1);
    expect(log().written).toBeLessThan(10);
  });

  it('the write-ahead log that a reader still holds is tried again after a second, not with each commit', async () => {
    const { write, apart, reader } = given();
    reader.begin();
    await write(6_000);
    await apart.finish();
    const { calls } = apart;
    expect(calls).toBeGreaterThan(0);

    for (let commit = 0; commit < 20; commit += 1) await write(1);

    expect(apart.calls).toBe(calls);
    vi.advanceTimersByTime(1_000);
    await write(1);
    expect(apart.calls).toBe(calls + 1);
    reader.end();
  });

  it('the write-ahead log that became large is shortened step by step', async () => {
    const { write, apart, reader, fileBytes } = given();
    apart.hold();
    reader.begin();
    for (let part = 0; part < 5; part += 1) await write(8_000);
    reader.end();
    await write(1);
    await apart.finish();
    const sizes = [fileBytes()];

    while ((sizes.at(-1) ?? 0) > WAL_KEPT_BYTES + MEBIBYTE && sizes.length < 20) {
      await write(4_100);
      await apart.finish();
      sizes.push(fileBytes());
    }

    expect(sizes[0]).toBeGreaterThan(2 * WAL_KEPT_BYTES);
    expect(sizes.at(-1)).toBeLessThanOrEqual(WAL_KEPT_BYTES + MEBIBYTE);
    for (const [index, size] of sizes.slice(1).entries()) {
      expect((sizes[index] ?? 0) - size).toBeLessThanOrEqual(33 * MEBIBYTE);
    }
  });

  it.each([
    ['that cannot be moved apart rejects no write', new Error('no thread'), true],
    ['in which damage is found stops writes', new Database.SqliteError('no', 'SQLITE_CORRUPT'), false],
  ])('%s', async (_, fault, isSound) => {
    const { write, apart, reader, session } = given();
    reader.begin();
    apart.failWith(fault);

    await write(6_000);
    await apart.finish();

    expect(session.isSound()).toBe(isSound);
    reader.end();
  });
});

function given() {
  const file = join(temporaryDirectory(onTestFinished), 'test.db');
  const connection = rawConnection(onTestFinished, file);
  setPragmas(connection);
  connection.exec('PRAGMA synchronous = OFF; CREATE TABLE rows (content)');
  const other = rawConnection(onTestFinished, file);
  const elsewhere = rawConnection(onTestFinished, file);
  const look = other.prepare('PRAGMA wal_checkpoint(NOOP)').raw();
  const insert = connection.prepare('INSERT INTO rows VALUES (?)');
  let calls = 0;
  let fault: Error | undefined;
  let release = (): void => undefined;
  let held = Promise.resolve();
  const running: Promise<unknown>[] = [];

  async function checkpointApart(): Promise<void> {
    calls += 1;
    await held;
    if (fault !== undefined) throw fault;
    elsewhere.pragma('wal_checkpoint(PASSIVE)');
  }
  const session = createSession(connection, {
    waitMs: 0,
    checkpointApart() {
      const checkpoint = checkpointApart();
      running.push(checkpoint);
      return checkpoint;
    },
  });
  /** Waits for what runs after a commit. */
  const settled = async (): Promise<void> => {
    await nextIteration();
    await nextIteration();
  };

  return {
    session,
    async write(pages: number): Promise<void> {
      await session.write(() => ({ keep: true, value: insert.run(Buffer.alloc(pages * 4096)) }));
      await settled();
    },
    log(): Log {
      const [, written, copied] = look.get() as number[];
      return { written: Number(written), copied: Number(copied) };
    },
    fileBytes: () => statSync(`${file}-wal`).size,
    reader: {
      begin() {
        other.exec('BEGIN');
        other.prepare('SELECT count(*) FROM rows').get();
      },
      end: () => void other.exec('COMMIT'),
    },
    apart: {
      get calls() {
        return calls;
      },
      hold() {
        held = new Promise((resolve) => {
          release = resolve;
        });
      },
      failWith(error: Error) {
        fault = error;
      },
      async finish(): Promise<void> {
        release();
        for (const checkpoint of running) await checkpoint.catch(() => undefined);
        await settled();
      },
    },
  };
}
