// Starts a server for each reason to refuse.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { workplaceOfEachTest } from '../../test-support/workplace.ts';

// Starts real processes to test signals, files, ports and exit codes.
const workplace = workplaceOfEachTest();

const oneLine = (text: RegExp) => expect.stringMatching(new RegExp(`^countersign: ${text.source}\n$`));

describe('serve refuses to start, with one line', () => {
  test('when another server uses the database', async () => {
    await workplace.serve();
    expect(await workplace.refuse()).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(/Another server is already serving .*/),
    });
  });

  test('when PORT is in use, and the next start prints the demo key', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const line = oneLine(new RegExp(`PORT is ${port}: another program listens there, expected a free port`));
    expect(await workplace.refuse({ PORT: String(port) })).toEqual({ exitCode: 78, out: '', err: line });
    other.close();
    expect((await workplace.serve()).key()).toMatch(/^csk_/);
  });

  test('when METRICS_PORT is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const line = oneLine(new RegExp(`METRICS_PORT is ${port}: another program listens there, [^\\n]+`));
    expect(await workplace.refuse({ METRICS_PORT: String(port) })).toEqual({ exitCode: 78, out: '', err: line });
    other.close();
  });

  test('when HOST is not an address of this machine', async () => {
    const line = oneLine(/HOST is "192\.0\.2\.1": expected an address of this machine/);
    expect(await workplace.refuse({ HOST: '192.0.2.1' })).toEqual({ exitCode: 78, out: '', err: line });
  });

  test('when a setting is invalid', async () => {
    const line = oneLine(/LOG_LEVEL is "loud": expected one of .*/);
    expect(await workplace.refuse({ LOG_LEVEL: 'loud' })).toEqual({ exitCode: 78, out: '', err: line });
    expect(readdirSync(workplace.dataDir)).toEqual([]);
  });

  test('when the erasure log is in a backup', async () => {
    await workplace.run('migrate');
    const backup = `${workplace.dataDir}-backup`;
    onTestFinished(() => rmSync(backup, { recursive: true }));
    expect(await workplace.run(`backup ${backup}`)).toMatchObject({ exitCode: 0 });
    const line = oneLine(/ERASURE_LOG_URL is in the backup .*: expected a folder outside .*/);
    expect(await workplace.refuse({ ERASURE_LOG_URL: `file:${backup}/erasures` })).toMatchObject({
      exitCode: 78,
      err: line,
    });
  });

  test('when the database file is not SQLite, and leaves it unchanged', async () => {
    const file = join(workplace.dataDir, 'countersign.db');
    const content = 'not a database, but long enough to be taken for one '.repeat(100);
    writeFileSync(file, content);
    expect(await workplace.refuse()).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(/.*countersign\.db is not a SQLite database/),
    });
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  /** Runs SQL with Node's own SQLite, as another program would. */
  async function database() {
    const { DatabaseSync } = await import('node:sqlite');
    return new DatabaseSync(join(workplace.dataDir, 'countersign.db'));
  }

  test('when a newer version wrote the database, and leaves it unchanged', async () => {
    await workplace.run('migrate');
    const newer = await database();
    newer.exec("INSERT INTO countersign_migrations (hash, created_at) VALUES ('later', 9999999999999)");
    newer.close();
    const before = readFileSync(join(workplace.dataDir, 'countersign.db'));
    expect(await workplace.refuse()).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(/.* written by a newer version .*/),
    });
    expect(readFileSync(join(workplace.dataDir, 'countersign.db')).equals(before)).toBe(true);
  });

  test('when another process locks the database', async () => {
    await workplace.run('migrate');
    const holder = await database();
    holder.exec('BEGIN EXCLUSIVE');
    expect(await workplace.refuse()).toEqual({
      exitCode: 1,
      out: '',
      err: oneLine(/.* is locked by another process/),
    });
    holder.close();
  });
});
