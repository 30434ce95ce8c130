import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { idsIn, integrityOf, tallyOf } from '@countersign/test-support/installation/database-file';
import { countersign, runCountersign } from '@countersign/test-support/processes/command-line';
import { NO_RATE_LIMITS, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describe, expect, it } from 'vitest';

describe('a backup', () => {
  it('under load is complete, and a server starts from it', async () => {
    const server = await startServer({ env: NO_RATE_LIMITS });
    const { api, clientId, key } = await givenApi(server, { monthlyLimit: 1_000_000 });
    const dataDir = temporaryFolder();
    const copy = join(dataDir, 'countersign.db');
    const acknowledged = new Set<string>();
    let over = false;
    const create = async (worker: number) => {
      for (let n = 0; !over; n++) {
        const answer = await api.post({
          ...newSubject(`user_${worker}_${n}`),
          metadata: { a: 'x'.repeat(2_000) },
        });
        acknowledged.add(idOf(answer));
      }
    };
    const load = Promise.all(Array.from({ length: 8 }, (_, worker) => create(worker)));
    await until(() => acknowledged.size >= 500);
    const before = [...acknowledged];

    const reported = await countersign<{ file: string; sizeBytes: number }>(['backup', copy], server.env);
    const after = acknowledged.size;
    over = true;
    await load;

    expect(reported).toEqual({ file: copy, sizeBytes: readFileSync(copy).length });
    // The backup is the state of one moment between its start and its end.
    const kept = idsIn(copy, clientId);
    expect(before.filter((id) => !kept.has(id))).toEqual([]);
    expect(after).toBeGreaterThan(before.length);
    const rows = kept.size;
    expect(tallyOf(copy, clientId)).toEqual({ rows, used: rows, created: rows, events: rows });
    expect(integrityOf(copy)).toBe('ok');

    const restored = await startServer({ dataDir, env: NO_RATE_LIMITS });
    const again = createApiClient(restored.baseUrl, key);
    expect((await again.get(`/verifications/${before.at(-1)}`)).status).toBe(200);
    expect((await again.post(newSubject('one more'))).status).toBe(201);
  });

  it('refuses to replace an existing file', async () => {
    const server = await startServer();
    const { code, stdout, stderr } = await runCountersign(['backup', server.databaseFile], server.env);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^countersign: [^\n]+\n$/);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
    expect(integrityOf(server.databaseFile)).toBe('ok');
  });
});
