// Starts and stops a server for each signal.
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openRawConnection } from '../../test-support/raw-connection.ts';
import { type ServerProcess, workplaceOfEachTest } from '../../test-support/workplace.ts';
import type { DoctorReport } from '../commands/doctor.ts';

// Starts real processes to test signals, files, ports and exit codes.
const workplace = workplaceOfEachTest();

describe('serve: stop signals', () => {
  const BODY = '{"subjectType":"kyc","subjectReference":"slow"}';

  async function beginCreation(server: ServerProcess) {
    const connection = await openRawConnection(server.port);
    connection.send(
      `POST /api/v1/verifications HTTP/1.1\r\nHost: x\r\nX-API-Key: ${server.key()}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    // 100 Continue proves that the server has begun to handle the request.
    await connection.receive('100 Continue');
    return connection;
  }

  const stoppingIn = async (server: ServerProcess) => {
    while (!server.out().includes('"stopping"')) await pause(10);
  };

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s: the running request finishes, then the process ends with 0',
    async (signal) => {
      const server = await workplace.serve();
      const running = await beginCreation(server);

      server.child.kill(signal);
      await stoppingIn(server);
      await expect(openRawConnection(server.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      running.send(BODY);

      expect(await running.closed).toContain('HTTP/1.1 201 Created');
      expect(await server.ended).toBe(0);
      expect(server.err()).toBe('');
      expect(server.log().at(-1)).toMatchObject({ msg: 'stopped' });
      expect(server.log()).toContainEqual(expect.objectContaining({ msg: 'request', status: 201 }));
      expect(readdirSync(workplace.dataDir)).not.toContain('countersign.db-wal');
    },
  );

  test('doctor then reports the last runs of its jobs and the forwarded requests it saw', async () => {
    const server = await workplace.serve();
    for (let n = 0; n < 3; n += 1) {
      await fetch(`${server.origin}/api/v1/verifications`, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    }
    server.child.kill('SIGTERM');
    await server.ended;

    const { servers } = JSON.parse((await workplace.run('doctor --json')).out) as DoctorReport;

    expect(servers).toEqual([expect.objectContaining({ port: server.port, isStopped: true, trustedProxies: 0 })]);
    const [{ jobs, requests } = { jobs: [], requests: undefined }] = servers;
    expect(jobs.map(({ name, ok }) => [name, ok])).toContainEqual(['tidy_evidence', true]);
    expect(requests?.forwardedIgnored).toBe(3);
  });

  test('a later second signal stops immediately', async () => {
    const server = await workplace.serve();
    const running = await beginCreation(server);

    server.child.kill('SIGTERM');
    await stoppingIn(server);
    // Within the first second the server ignores it as npm's repetition of the first.
    await pause(1_100);
    server.child.kill('SIGTERM');

    expect(await server.ended).toBe(1);
    expect(server.err()).toBe('countersign: second SIGTERM, stopped immediately\n');
    expect(server.log()).toContainEqual(expect.objectContaining({ msg: 'stopping', signal: 'SIGTERM' }));
    expect(await running.closed).not.toContain('201');
  });
});

test('serve: continues and stops cleanly after its stdout is closed', async () => {
  const server = await workplace.serve({ LOG_LEVEL: 'debug' });
  server.child.stdout?.destroy();
  for (let request = 0; request < 3; request++) {
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    await pause(300);
  }

  server.child.kill('SIGTERM');

  expect(await server.ended).toBe(0);
  expect(server.err()).toBe('');
});

describe('serve: an uncaught fault ends the process and is logged without its message', () => {
  test.each([
    ['an exception', 'throw new Error("canary")'],
    ['a rejection', 'Promise.reject(new Error("canary"))'],
  ])('%s', async (_, fault) => {
    const preload = `process.on("SIGUSR2",()=>{${fault}})`;
    const server = await workplace.serve({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    });

    server.child.kill('SIGUSR2');

    expect(await server.ended).toBe(1);
    expect(server.err()).toBe('countersign: stopped by an unexpected fault, see the log\n');
    const fatal = server.log().at(-1);
    expect(fatal).toMatchObject({ level: 'fatal', error: { type: 'Error', stack: expect.any(String) } });
    expect(JSON.stringify(fatal)).not.toContain('Error: canary');
  });
});
