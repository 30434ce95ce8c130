// Servers run out of space, and get it back.
import { execFileSync } from 'node:child_process';
import {
  createApiClient,
  dataOf,
  expectRefusal,
  idOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { idsIn, integrityOf, tallyOf } from '@countersign/test-support/installation/database-file';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { askForEverything, givenClientOf } from '@countersign/test-support/installation/operator';
import { noisyJpeg } from '@countersign/test-support/pages/pictures';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { describe, expect, it } from 'vitest';

const LIMIT = 1024 * 1024;

/**
 * Limits the size of a running process's files, so that writes fail as on a full disk. The test needs no file system of its own.
 * Only the soft limit changes, so that it can be raised again.
 */
function limitFiles({ pid }: Pick<ServerProcess, 'pid'>, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}

async function unavailableCount(port: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^countersign_storage_unavailable_total (\d+)$/m.exec(text)?.[1]);
}

async function given() {
  const METRICS_PORT = String(await freePort());
  const server = await startServer({ env: { METRICS_PORT } });
  const { clientId, key } = await givenClientOf(server, { monthlyLimit: 1_000_000 });
  await askForEverything(server, clientId);
  return { server, clientId, api: createApiClient(server.baseUrl, key), key, METRICS_PORT };
}

describe('a full disk', () => {
  it('creations get 503 until there is space again; reads succeed, and no acknowledged verification is lost', async () => {
    const { server, clientId, api, key, METRICS_PORT } = await given();
    limitFiles(server, LIMIT);
    const acknowledged = new Set<string>();
    let refusals = 0;

    for (let n = 0; refusals < 5; n++) {
      const answer = await api.post({ ...newSubject(`user_${n}`), metadata: { a: 'x'.repeat(8_000) } });
      if (answer.status === 201) acknowledged.add(idOf(answer));
      else {
        expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
        expect(answer.headers.get('retry-after')).toBe('5');
        refusals++;
      }
      expect(n).toBeLessThan(1_000);
    }

    expect(acknowledged.size).toBeGreaterThan(10);
    expect(await unavailableCount(METRICS_PORT)).toBe(refusals);
    const [first = ''] = acknowledged;
    expect((await api.get(`/verifications/${first}`)).status).toBe(200);
    expect((await api.get()).body.data?.pagination).toMatchObject({ totalCount: acknowledged.size });
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);

    limitFiles(server, 'unlimited');
    acknowledged.add(idOf(await api.post(newSubject('with space again'))));
    expect((await server.stop()).code).toBe(0);

    // After a restart, the database has exactly the acknowledged verifications.
    const again = await startServer({ dataDir: server.dataDir });
    const rows = acknowledged.size;
    expect(idsIn(again.databaseFile, clientId)).toEqual(acknowledged);
    expect(tallyOf(again.databaseFile, clientId)).toEqual({
      rows,
      used: rows,
      counted: rows,
      created: rows,
      events: rows,
    });
    expect(integrityOf(again.databaseFile)).toBe('ok');
    expect((await createApiClient(again.baseUrl, key).post(newSubject('one more'))).status).toBe(201);
  });

  it('uploads get 503 until there is space again, and leave nothing', async () => {
    const { server, api, METRICS_PORT } = await given();
    const url = String(dataOf(await api.post(newSubject('with files'))).verificationUrl);
    const picture = new Uint8Array(await noisyJpeg(0.3));
    const forms = await openSubjectForms(url, 'kyc');
    await forms.walk({ file: () => new Blob([picture]) }, 'proof-of-address');
    const files = filesBelow(server.dataDir).length;
    const upload = () => forms.upload('proof-of-address', new Blob([picture]));

    limitFiles(server, 4_096);
    const refused = await upload();

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await unavailableCount(METRICS_PORT)).toBeGreaterThan(0);
    expect(filesBelow(server.dataDir)).toHaveLength(files);
    limitFiles(server, 'unlimited');
    expect((await upload()).status).toBe(303);
  });
});
