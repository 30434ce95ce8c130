// Waits until requests reach the deadline of a lock that another process holds.
import {
  type Answer,
  createApiClient,
  expectRefusal,
  idOf,
  kindsOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { readStrictDocument } from '@countersign/test-support/api/documented-api';
import { holdWriteLock, idsIn, tallyOf } from '@countersign/test-support/installation/database-file';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describe, expect, it } from 'vitest';

const AT_ONCE = 16;

describe('another process holds the write lock beyond the deadline', () => {
  it('creations get 503 meanwhile, reads succeed, and no acknowledged verification is lost', async () => {
    const server = await startServer();
    const { clientId, key } = await givenClientOf(server, { monthlyLimit: 1_000_000 });
    const api = createApiClient(server.baseUrl, key);
    const document = await readStrictDocument(server);
    const first = idOf(await api.post(newSubject('first')));

    const timed = async (send: () => Promise<Answer>) => {
      const begun = performance.now();
      const answer = await send();
      return { begun, answer, took: performance.now() - begun };
    };
    type Timed = Awaited<ReturnType<typeof timed>>;
    const creates: Timed[] = [];
    const reads: Timed[] = [];
    let count = 0;
    let over = false;
    const create = async () => {
      while (!over) creates.push(await timed(() => api.post(newSubject(`user_${count++}`))));
    };
    const read = async () => {
      while (!over) reads.push(await timed(() => api.get(`/verifications/${first}`)));
    };

    const lock = holdWriteLock(server.databaseFile);
    const held = performance.now();
    const load = Promise.all([...Array.from({ length: AT_ONCE }, create), read(), read()]);
    // The lock is held until the refusals arrive, on a quiet machine after 5 s, so they cannot depend on its release.
    await until(() => creates.filter(({ answer }) => answer.status === 503).length >= AT_ONCE);
    lock.release();
    const released = performance.now();
    // Continues until enough creations succeed after the release.
    await until(
      () => creates.filter(({ begun, answer }) => begun > released && answer.status === 201).length >= 100,
    );
    over = true;
    await load;

    // The first creations were refused while the lock was held.
    const refused = creates.filter(({ answer }) => answer.status === 503);
    expect(kindsOf(creates.map(({ answer }) => answer))).toEqual({
      '201': creates.length - refused.length,
      '503 SERVICE_UNAVAILABLE': refused.length,
    });
    expect(refused.length).toBeGreaterThanOrEqual(AT_ONCE);
    for (const { answer } of refused) {
      expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(document.problemsOfAnswer({ method: 'post', path: '/verifications' }, answer)).toEqual([]);
    }
    expect(creates.filter(({ begun, answer }) => begun > released && answer.status !== 201)).toEqual([]);

    // Reads succeeded all the time.
    const meanwhile = reads.filter(({ begun }) => begun > held && begun < released);
    expect(kindsOf(reads.map(({ answer }) => answer))).toEqual({ '200': reads.length });
    expect(meanwhile.length).toBeGreaterThan(50);

    // The database has exactly the acknowledged verifications, completely.
    const acknowledged = creates.filter(({ answer }) => answer.status === 201).map(({ answer }) => idOf(answer));
    expect(idsIn(server.databaseFile, clientId)).toEqual(new Set([first, ...acknowledged]));
    const rows = acknowledged.length + 1;
    expect(tallyOf(server.databaseFile, clientId)).toEqual({
      rows,
      used: rows,
      counted: rows,
      created: rows,
      events: rows,
    });
    console.info(
      `write lock: ${refused.length} refused, ${meanwhile.length} reads meanwhile, the slowest ${Math.round(Math.max(...meanwhile.map(({ took }) => took)))} ms`,
    );
  });
});
