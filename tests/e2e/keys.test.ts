import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiKeyState } from '@countersign/domain';
import {
  type Answer,
  atOnce,
  createApiClient,
  expectRefusal,
  kindsOf,
} from '@countersign/test-support/api/api-client';
import { givenClientOf, givenKey, operate } from '@countersign/test-support/installation/operator';
import { start } from '@countersign/test-support/processes/child-process';
import { countersignHere, runCountersign } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

const apiOf = (key: string) => createApiClient(server.baseUrl, key);

const statesOf = (clientId: string) =>
  operate(server, async ({ apiKeys }) => {
    const keys = await apiKeys.list(clientId);
    return keys.map((key) => apiKeyState(key, new Date()));
  });
const revoke = (keyId: string) => countersignHere(['key', 'revoke', keyId], server.env);

describe.concurrent('the limit of 10 active keys', () => {
  it('four processes request 40 keys concurrently: exactly 10 are issued', async () => {
    const { client } = await operate(server, ({ clients }) => clients.create({ name: 'Acme', plan: 'none' }));
    const script = join(import.meta.dirname, 'issue-keys.mjs');
    const processes = Array.from({ length: 4 }, () =>
      start(process.execPath, ['--conditions=source', script, server.databaseFile, client.id, '10']),
    );
    await Promise.all(processes.map((issuing) => issuing.says(/ready/)));

    for (const issuing of processes) issuing.signal('SIGUSR2');
    const ends = await Promise.all(processes.map(({ finished }) => finished));

    const outcomes = ends.flatMap(({ stdout }) => JSON.parse(stdout.split('\n')[1] ?? '') as string[]);
    expect(outcomes).toHaveLength(40);
    expect(outcomes.filter((outcome) => outcome === 'issued')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'API_KEY_LIMIT_REACHED')).toHaveLength(30);
    expect(await statesOf(client.id)).toEqual(Array(10).fill('active'));
  });

  it('the command line issues the tenth key and refuses the eleventh in one line', async () => {
    const { clientId, keyId } = await givenClientOf(server);
    for (let n = 2; n <= 8; n++) await givenKey(server, clientId);
    const create = ['key', 'create', '--client', clientId, '--permissions', 'verifications:read', '--json'];

    const ends = await atOnce(4, () => runCountersign(create, server.env));

    expect(ends.map(({ code }) => code).sort()).toEqual([0, 0, 1, 1]);
    for (const { stdout, stderr } of ends.filter(({ code }) => code !== 0)) {
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^countersign: .*API_KEY_LIMIT_REACHED.*\n$/);
    }
    expect(await statesOf(clientId)).toEqual(Array(10).fill('active'));

    // Revoking a key frees a slot.
    await revoke(keyId);
    expect(await countersignHere(create.slice(0, -1), server.env)).toMatchObject({
      key: expect.stringMatching(/^csk_[0-9a-f]{64}$/) as string,
    });
  });
});

describe.concurrent('a revoked key', () => {
  it('gets 401 API_KEY_REVOKED with the next request and every later one', async () => {
    const { clientId, keyId, key } = await givenClientOf(server);
    const api = apiOf(key);
    const other = apiOf(await givenKey(server, clientId));
    const answers: { begun: number; answer: Answer }[] = [];
    let revokedAt = Number.POSITIVE_INFINITY;
    const LATE = 25;

    /** Requests continuously, until `LATE` requests after the revocation. */
    const ask = async () => {
      for (let late = 0; late < LATE; ) {
        const begun = performance.now();
        answers.push({ begun, answer: await api.get() });
        if (begun > revokedAt) late++;
      }
    };
    const revokeMeanwhile = async () => {
      await revoke(keyId);
      revokedAt = performance.now();
      return await api.get();
    };
    const [next] = await Promise.all([revokeMeanwhile(), ...Array.from({ length: 8 }, ask)]);

    expectRefusal(next, 401, 'API_KEY_REVOKED');
    expect(next.body.error).toBe('API key has been revoked');
    const [before, after] = [
      answers.filter(({ begun }) => begun <= revokedAt),
      answers.filter(({ begun }) => begun > revokedAt),
    ];
    expect(kindsOf(before.map(({ answer }) => answer))['200']).toBeGreaterThan(0);
    expect(kindsOf(after.map(({ answer }) => answer))).toEqual({ '401 API_KEY_REVOKED': 8 * LATE });
    expect((await other.get()).status).toBe(200);
  });
});

describe.concurrent('a key', () => {
  it('a key is stored as a hash: the database file does not contain it', async () => {
    const { key } = await givenClientOf(server);
    const kept = [server.databaseFile, `${server.databaseFile}-wal`]
      .map((file) => readFileSync(file, 'latin1'))
      .join('');

    expect(kept).toContain(key.slice(-4));
    expect(kept).not.toContain(key.slice(4));
  });
});
