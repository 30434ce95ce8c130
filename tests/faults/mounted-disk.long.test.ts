import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createApiClient,
  dataOf,
  expectRefusal,
  idOf,
  newSubject,
} from '@countersign/test-support/api/api-client';
import { integrityOf, tallyOf } from '@countersign/test-support/installation/database-file';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { mountedFolder, whyNoMount } from '@countersign/test-support/installation/mounted-folder';
import { askForEverything, givenClientOf } from '@countersign/test-support/installation/operator';
import { noisyJpeg } from '@countersign/test-support/pages/pictures';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { countersign, runCountersign } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, it } from 'vitest';

const reason = whyNoMount();

describe.skipIf(reason !== undefined)(`a disk of its own${reason === undefined ? '' : ` [${reason}]`}`, () => {
  it('read-only evidence: uploads get 503, files can be read and doctor fails; writable again, uploads succeed', async () => {
    const disk = mountedFolder(64);
    const METRICS_PORT = String(await freePort());
    const evidenceDir = join(disk.path, 'evidence');
    const env = { METRICS_PORT, EVIDENCE_URL: `file:${evidenceDir}` };
    const server = await startServer({ env });
    const { clientId, key } = await givenClientOf(server, {});
    await askForEverything(server, clientId);
    const api = createApiClient(server.baseUrl, key);
    const answer = await api.post(newSubject('with files'));
    const forms = await openSubjectForms(String(dataOf(answer).verificationUrl), 'kyc');
    const picture = new Uint8Array(await noisyJpeg(0.3));
    // The first upload of all: its folders are missing.
    const whenReadOnly = () => {
      disk.makeReadOnly();
      return new Blob([picture]);
    };
    await expect(forms.walk({ file: whenReadOnly }, 'proof-of-address')).rejects.toThrow('answered with 503');
    disk.makeWritable();
    await forms.walk({ file: () => new Blob([picture]) }, 'proof-of-address');
    const files = filesBelow(evidenceDir);
    const upload = () => {
      const body = new FormData();
      body.set('file', new Blob([picture]), 'file');
      return forms.post('proof-of-address', body);
    };

    disk.makeReadOnly();
    const refused = await upload();

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    expect(metrics).toMatch(/^countersign_storage_unavailable_total [1-9]/m);
    const [document] = dataOf(await api.get(`/verifications/${idOf(answer)}/details`)).documents as {
      id: string;
    }[];
    expect((await forms.get(`files/${document?.id}`)).status).toBe(200);
    const doctor = await runCountersign(['doctor'], server.env);
    expect([doctor.code, doctor.stdout + doctor.stderr]).toEqual([1, expect.stringContaining(evidenceDir)]);
    // A backup needs no hold where nothing can be deleted.
    await countersign(['backup', join(temporaryFolder(), 'backup')], server.env);

    disk.makeWritable();
    expect((await upload()).status).toBe(303);
    expect(filesBelow(evidenceDir).length).toBeGreaterThan(files.length);
  });

  it('read-only database: start, command and backup fail in one line, and restore --check reads a backup there', async () => {
    const disk = mountedFolder(64);
    const dataDir = join(disk.path, 'data');
    const server = await startServer({ dataDir });
    await givenClientOf(server, {});
    const backup = join(disk.path, 'backup');
    await countersign(['backup', backup], server.env);
    await server.stop();
    disk.makeReadOnly();

    for (const [expected, command] of [
      [78, ['serve']],
      [78, ['client', 'create', '--name', 'Late', '--plan', 'standard']],
      [1, ['backup', join(disk.path, 'backup-2')]],
    ] as const) {
      const { code, stdout, stderr } = await runCountersign(command, server.env);
      const line = /^countersign: [^\n]*the file system is read-only[^\n]*\n$/;
      expect([code, stdout, stderr]).toEqual([expected, '', expect.stringMatching(line)]);
    }
    expect(existsSync(join(disk.path, 'backup-2'))).toBe(false);
    expect((await runCountersign(['restore', '--check', backup], server.env)).code).toBe(0);

    disk.makeWritable();
    const again = await startServer({ dataDir });
    expect(integrityOf(again.databaseFile)).toBe('ok');
  });

  it('full: creations get 503 until a file is removed, and no acknowledged verification is lost', async () => {
    const disk = mountedFolder(48);
    const server = await startServer({ dataDir: join(disk.path, 'data') });
    const { clientId, key } = await givenClientOf(server, { monthlyLimit: 1_000_000 });
    const api = createApiClient(server.baseUrl, key);
    const filler = join(disk.path, 'filler');
    fill(filler);
    const acknowledged = new Set<string>();
    let refusals = 0;
    for (let n = 0; refusals < 5; n += 1) {
      const answer = await api.post({ ...newSubject(`user_${n}`), metadata: { a: 'x'.repeat(8_000) } });
      if (answer.status === 201) acknowledged.add(idOf(answer));
      else {
        expectRefusal(answer, 503, 'SERVICE_UNAVAILABLE');
        refusals += 1;
      }
      expect(n).toBeLessThan(5_000);
    }
    const doctor = await runCountersign(['doctor'], server.env);
    expect([doctor.code, doctor.stdout + doctor.stderr]).toEqual([
      1,
      expect.stringContaining('0 bytes free, fewer than'),
    ]);

    rmSync(filler);
    acknowledged.add(idOf(await api.post(newSubject('with space again'))));

    await server.stop();
    const rows = acknowledged.size;
    expect(tallyOf(server.databaseFile, clientId)).toEqual({
      rows,
      used: rows,
      counted: rows,
      created: rows,
      events: rows,
    });
    expect(integrityOf(server.databaseFile)).toBe('ok');
  });
});

/** Fills the disk of a file to its last megabyte. */
function fill(file: string): void {
  for (;;) {
    try {
      writeFileSync(file, Buffer.alloc(1024 * 1024), { flag: 'a' });
    } catch {
      // The disk is full.
      return;
    }
  }
}
