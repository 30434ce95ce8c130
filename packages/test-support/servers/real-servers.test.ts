// Starts each kind of server that tests use.
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { start } from '../processes/child-process.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { until } from '../processes/until.ts';
import { describeWith, type PostgresServer, startPgBouncer, startPostgres, startRedis } from './index.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { passable } from './server-folder.ts';

const SETTINGS = { max: 1, fetch_types: false, connect_timeout: 5 };

async function ask<Row extends object>(url: string, question: string): Promise<Row | undefined> {
  const sql = postgres(url, SETTINGS);
  try {
    const [row] = await sql.unsafe<Row[]>(question);
    return row;
  } finally {
    await sql.end();
  }
}

/** Sends one command to Redis. @returns the answer, or undefined without an answer within 300 ms */
function command(url: string, text: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(`${text}\r\n`));
    const settle = (answer?: string) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(300, settle);
    socket.once('data', (data) => settle(String(data)));
    socket.once('error', reject);
  });
}

function exists(pid: number | undefined): boolean {
  try {
    return process.kill(pid ?? 0, 0);
  } catch {
    return false;
  }
}

describeWith(['postgres'], 'startPostgres', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ own: true, settings: { max_connections: 17 } });
  });
  afterAll(() => server.stop());

  it('applies the settings, with fsync and password authentication', async () => {
    const url = await server.createDatabase();
    const facts = `SELECT current_setting('max_connections') AS connections, current_setting('fsync') AS fsync`;
    expect(await ask(url, facts)).toEqual({ connections: '17', fsync: 'on' });
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(ask(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('createDatabase: creates empty databases and copies of a template', async () => {
    const first = await server.createDatabase();
    await ask(first, 'CREATE TABLE t AS SELECT 42 AS answer');
    expect(await ask(await server.createDatabase(first), 'SELECT answer FROM t')).toEqual({ answer: 42 });
    await expect(ask(await server.createDatabase(), 'SELECT answer FROM t')).rejects.toMatchObject({
      code: '42P01',
    });
  });

  it('freeze and thaw: suspend and resume the server without losing connections', async () => {
    const sql = postgres(await server.createDatabase(), SETTINGS);
    const [{ pid } = { pid: 0 }] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    server.freeze();
    let answered = false;
    const answer = sql`SELECT 7 AS seven`.execute().finally(() => (answered = true));
    await pause(200);
    expect(answered).toBe(false);
    server.thaw();
    expect([...(await answer)]).toEqual([{ seven: 7 }]);
    expect([...(await sql`SELECT pg_backend_pid() AS pid`)]).toEqual([{ pid }]);
    await sql.end();
  });

  it('kill and restart: keep committed data and the port', async () => {
    const url = await server.createDatabase();
    await ask(url, 'CREATE TABLE t AS SELECT 42 AS answer');
    const before = server.pid;
    await server.kill();
    await expect(ask(url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.restart();
    expect(server.pid).not.toBe(before);
    expect(await ask(url, 'SELECT answer FROM t')).toEqual({ answer: 42 });
  });

  it('passable: copies programs that the server’s user cannot reach', () => {
    const mine = temporaryFolder(tmpdir());
    expect(statSync(mine).mode & 0o777).toBe(0o700);
    const programs = join(mine, 'native');
    for (const folder of ['bin', 'lib']) mkdirSync(join(programs, folder), { recursive: true });
    const copy = join(temporaryFolder(tmpdir()), 'programs');
    expect(passable(programs, copy)).toBe(process.getuid?.() === 0 ? copy : programs);
    expect(existsSync(join(postgresBinaries() ?? '', 'bin/initdb'))).toBe(true);
  });
});

describeWith(['redis'], 'startRedis', () => {
  it('freeze suspends it, and start after stop brings it back empty on the same port', async () => {
    const server = await startRedis({ own: true });
    const first = server.pid;
    expect(await command(server.url, 'SET key value')).toBe('+OK\r\n');
    server.freeze();
    expect(await command(server.url, 'PING')).toBeUndefined();
    server.thaw();
    expect(await command(server.url, 'PING')).toBe('+PONG\r\n');
    await server.stop();
    expect([exists(first), server.pid]).toEqual([false, undefined]);
    await expect(command(server.url, 'PING')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.start();
    expect(await command(server.url, 'GET key')).toBe('$-1\r\n');
    await server.stop();
  });

  it('requires the password of its settings', async () => {
    const server = await startRedis({ settings: { requirepass: 'hidden' } });
    expect(new URL(server.url).password).toBe('hidden');
    expect(await command(server.url, 'PING')).toMatch(/^-NOAUTH/);
    await server.stop();
  });
});

describeWith(['postgres', 'pgbouncer'], 'startPgBouncer', () => {
  it('shares one server connection between clients', async () => {
    const server = await startPostgres();
    const url = await server.createDatabase();
    const pool = await startPgBouncer(url);
    expect(await ask(pool.url, 'SELECT current_database() AS name')).toEqual({
      name: new URL(url).pathname.slice(1),
    });
    const [one, other] = [postgres(pool.url, SETTINGS), postgres(pool.url, SETTINGS)];
    const backends = [await one`SELECT pg_backend_pid() AS pid`, await other`SELECT pg_backend_pid() AS pid`];
    expect(backends[0]).toEqual(backends[1]);
    await Promise.all([one.end(), other.end()]);
    await pool.stop();
    expect(exists(pool.pid)).toBe(false);
    await server.stop();
  });
});

describeWith(['postgres', 'redis', 'pgbouncer'], 'test servers', () => {
  it('end with the process that started them, also after SIGKILL', async () => {
    const TMPDIR = temporaryFolder(tmpdir());
    chmodSync(TMPDIR, 0o755);
    const holder = start(process.execPath, [join(import.meta.dirname, 'given-servers.mjs')], { env: { TMPDIR } });
    const [line] = await holder.says(/^\{.*\}$/m);
    const { pids, url }: { pids: number[]; url: string } = JSON.parse(line);
    const data = (await ask<{ data_directory: string }>(url, 'SHOW data_directory'))?.data_directory ?? '';
    expect([pids.map(exists), existsSync(data)]).toEqual([[true, true, true], true]);
    expect(readdirSync(TMPDIR).length).toBeGreaterThanOrEqual(3);
    holder.signal('SIGKILL');
    await until(() => !pids.some(exists) && readdirSync(TMPDIR).length === 0 && !existsSync(dirname(data)));
  });
});
