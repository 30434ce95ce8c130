import { createApiClient, expectRefusal, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { idsIn, integrityOf, tallyOf } from '@countersign/test-support/installation/database-file';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { NO_RATE_LIMITS, startServer } from '@countersign/test-support/processes/server-process';
import { describe, expect, it } from 'vitest';

/**
 * Limits the size of the process's files, so that writes fail as on a full disk. The shell sets the limit (POSIX: in units of
 * 512 bytes); the test needs no file system of its own.
 */
const withFilesOfAtMost = (bytes: number) => ['sh', '-c', `ulimit -f ${bytes / 512} && exec "$0" "$@"`];
const LIMIT = 1024 * 1024;

describe('a full disk', () => {
  it('creations are refused, reads succeed, and no acknowledged verification is lost', async () => {
    const full = await startServer({ env: NO_RATE_LIMITS, launcher: withFilesOfAtMost(LIMIT) });
    const { clientId, key } = await givenClientOf(full, { monthlyLimit: 1_000_000 });
    const api = createApiClient(full.baseUrl, key);
    const acknowledged = new Set<string>();
    let refusals = 0;

    for (let n = 0; refusals < 5; n++) {
      const answer = await api.post({ ...newSubject(`user_${n}`), metadata: { a: 'x'.repeat(8_000) } });
      if (answer.status === 201) acknowledged.add(idOf(answer));
      else {
        expectRefusal(answer, answer.status, answer.status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR');
        refusals++;
      }
      expect(n).toBeLessThan(1_000);
    }

    expect(acknowledged.size).toBeGreaterThan(10);
    const [first = ''] = acknowledged;
    expect((await api.get(`/verifications/${first}`)).status).toBe(200);
    expect((await api.get()).body.data?.pagination).toMatchObject({ totalCount: acknowledged.size });
    expect((await fetch(`${full.origin}/readyz`)).status).toBe(200);
    expect((await full.stop()).code).toBe(0);

    // Without the limit, the database has exactly the acknowledged verifications.
    const server = await startServer({ dataDir: full.dataDir, env: NO_RATE_LIMITS });
    const rows = acknowledged.size;
    expect(idsIn(server.databaseFile, clientId)).toEqual(acknowledged);
    expect(tallyOf(server.databaseFile, clientId)).toEqual({ rows, used: rows, created: rows, events: rows });
    expect(integrityOf(server.databaseFile)).toBe('ok');
    expect((await createApiClient(server.baseUrl, key).post(newSubject('one more'))).status).toBe(201);
  });
});
