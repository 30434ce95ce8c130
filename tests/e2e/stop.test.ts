// Starts a server for each moment at which it is stopped.
import { createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { openConnection } from '@countersign/test-support/api/raw-connection';
import { idsIn } from '@countersign/test-support/installation/database-file';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describe, expect, it } from 'vitest';

describe('SIGTERM', () => {
  it('finishes a running request, refuses new connections and exits with 0', async () => {
    const server = await startServer();
    const { key, clientId } = await givenClientOf(server);
    const body = JSON.stringify(newSubject('user_1'));
    const [first, rest] = [body.slice(0, 10), body.slice(10)];
    const idle = await openConnection(server);
    const busy = await openConnection(server);
    busy.send(
      `POST /api/v1/verifications HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${first}`,
    );
    // The server reads input in order, so this response proves that it has read those bytes.
    expect((await createApiClient(server.baseUrl, key).get()).status).toBe(200);

    const stopped = server.stop();
    await server.says(/"msg":"stopping"/);
    await idle.answer.catch(() => undefined);
    await expect(openConnection(server)).rejects.toThrow('ECONNREFUSED');
    busy.send(rest);

    const answer = await busy.answer;
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.headers.get('connection')).toBe('close');
    const { code, signal, stderr, stdout } = await stopped;
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' });
    expect(stdout).toMatch(/"msg":"stopped"/);
    const again = await startServer({ dataDir: server.dataDir });
    expect(idsIn(again.databaseFile, clientId)).toEqual(new Set([idOf(answer)]));
  });

  it('SIGTERM under load: creates a verification only for requests that it answers', async () => {
    const server = await startServer();
    const { key, clientId } = await givenClientOf(server, { monthlyLimit: 1_000_000 });
    const api = createApiClient(server.baseUrl, key);
    const created = new Set<string>();
    let count = 0;
    let refused = 0;
    const create = async () => {
      while (refused < 16) {
        const answer = await api.post(newSubject(`user_${count++}`)).catch(() => undefined);
        if (answer === undefined) refused++;
        else created.add(idOf(answer));
      }
    };
    const load = Promise.all(Array.from({ length: 16 }, create));
    await until(() => created.size >= 200);

    const { code } = await server.stop();
    await load;

    expect(code).toBe(0);
    const again = await startServer({ dataDir: server.dataDir });
    const kept = idsIn(again.databaseFile, clientId);
    expect([...created].filter((id) => !kept.has(id))).toEqual([]);
    // The server created no verification without answering its request.
    expect(kept.size).toBe(created.size);
  });
});
