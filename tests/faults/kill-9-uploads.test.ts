// Kills a server during uploads and starts it again.
import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type EvidenceFile, storedContentsOf } from '@countersign/domain/evidence';
import { createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { extent } from '@countersign/test-support/installation/extent';
import { askForEverything, givenClientOf } from '@countersign/test-support/installation/operator';
import { storedFilesOf } from '@countersign/test-support/installation/stored-files';
import { createTraceSearch } from '@countersign/test-support/installation/traces';
import { noisyJpeg, pdf } from '@countersign/test-support/pages/pictures';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describe, expect, it } from 'vitest';

const ROUNDS = extent({ full: 5, short: 1 });
const AT_ONCE = extent({ full: 6, short: 4 });

/** The number of accepted uploads after which each round is killed, while other uploads are in progress. */
const KILL_AFTER = [1, 4, 7, 2, 10];

/** Creates a PDF with noise. PDFs are stored unchanged apart from sealing, so their bytes must not be on disk. */
function paper(): Buffer {
  const noise = randomBytes(150_000).toString('hex');
  const object = `9 0 obj\n<< /Length ${noise.length} >>\nstream\n${noise}\nendstream\nendobj\n`;
  return Buffer.from(pdf('Letter').toString('latin1').replace('\n', `\n${object}`), 'latin1');
}

describe('kill -9 during uploads', () => {
  it(`leaves no incomplete file, readable upload or orphan, ${ROUNDS} times`, async () => {
    // The same secrets in all rounds, so that links stay valid.
    let server = await startServer();
    const { dataDir } = server;
    const { clientId, key } = await givenClientOf(server, { plan: 'enterprise' });
    await askForEverything(server, clientId);
    const ids = new Map<string, string>();
    const picture = await noisyJpeg(0.3);
    for (let n = 0; n < AT_ONCE; n += 1) {
      const answer = await createApiClient(server.baseUrl, key).post({
        subjectType: 'kyc',
        subjectReference: `subject-${n}`,
      });
      const url = String(dataOf(answer).verificationUrl);
      await (await openSubjectForms(url, 'kyc')).walk(
        { file: () => new Blob([new Uint8Array(picture)]) },
        'proof-of-address',
      );
      ids.set(idOf(answer), new URL(url).pathname);
    }
    // Pictures of earlier steps.
    const before = (await filesOf(server, ids)).length;
    const sent: Buffer[] = [];
    const accepted: string[] = [];
    let interrupted = 0;

    for (let round = 0; round < ROUNDS; round += 1) {
      let killed: Promise<unknown> | undefined;
      let acceptedInRound = 0;
      const uploading = [...ids].map(async ([, path], index) => {
        const forms = await openSubjectForms(`http://localhost:${server.port}${path}`, 'kyc');
        while (killed === undefined) {
          const content = index % 2 === 0 ? paper() : await noisyJpeg(0.3);
          sent.push(content);
          const body = new FormData();
          body.set('file', new Blob([new Uint8Array(content)]), 'file');
          const answer = await forms.post('proof-of-address', body).catch(() => undefined);
          if (answer === undefined) interrupted += 1;
          else if (answer.status === 303) acceptedInRound += 1;
          else if (answer.status !== 409) throw new Error(`an upload was answered with ${answer.status}`);
          // A verification has at most 20 files.
          if (answer?.status === 409) return;
          if (acceptedInRound >= (KILL_AFTER[round] ?? 1)) killed ??= server.kill();
        }
      });
      await Promise.all(uploading);
      await killed;
      expect(acceptedInRound, `uploads accepted in round ${round}`).toBeGreaterThanOrEqual(KILL_AFTER[round] ?? 1);
      accepted.push(...Array<string>(acceptedInRound).fill(`round ${round}`));

      // While the server is dead, no upload is readable on disk.
      expect(tracesOf(sent, dataDir)).toEqual([]);
      server = await startServer({ dataDir });
      expect(readdirSync(join(dataDir, 'uploads'))).toEqual([]);
      const files = await filesOf(server, ids);
      // All accepted uploads are stored; uploads without a response may be stored too.
      const uploaded = files.length - before;
      expect(uploaded).toBeGreaterThanOrEqual(accepted.length);
      expect(uploaded).toBeLessThanOrEqual(accepted.length + interrupted);
      expect(missingIn(dataDir, files)).toEqual([]);
    }
    expect(interrupted).toBeGreaterThan(ROUNDS);

    // The kills may leave orphans; the test adds one.
    const files = await filesOf(server, ids);
    await server.stop();
    // Copies a referenced file, because a kill may leave other files incomplete.
    const some = filesBelow(join(dataDir, 'evidence')).find((file) => file.endsWith(`/${files[0]?.id}`)) ?? '';
    copyFileSync(some, join(dirname(some), '0198c0de-0000-7000-8000-00000000dead'));
    const contents = files.flatMap(storedContentsOf);
    expect(contents.length, 'each file has a thumbnail').toBe(2 * files.length);
    const orphans = filesBelow(join(dataDir, 'evidence')).length - contents.length;
    expect(orphans).toBeGreaterThanOrEqual(1);
    // The server keeps orphans for an hour, because an upload may be in progress.
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const file of filesBelow(join(dataDir, 'evidence'))) utimesSync(file, twoHoursAgo, twoHoursAgo);
    server = await startServer({ dataDir });
    await until(() => filesBelow(join(dataDir, 'evidence')).length === contents.length);
    expect(await filesOf(server, ids)).toEqual(files);
    expect(missingIn(dataDir, files)).toEqual([]);
    expect(tracesOf(sent, dataDir)).toEqual([]);
    console.info(
      `kill -9 during uploads: ${accepted.length} accepted, ${interrupted} interrupted, ${orphans} orphans cleared away`,
    );
  });
});

/** Returns the files of all verifications after their subjects have read them completely. */
async function filesOf(server: ServerProcess, ids: ReadonlyMap<string, string>): Promise<EvidenceFile[]> {
  const all: EvidenceFile[] = [];
  for (const [id, path] of ids) {
    const forms = await openSubjectForms(`http://localhost:${server.port}${path}`, 'kyc');
    const files = await storedFilesOf(server, id);
    for (const { id: fileId, size, sha256 } of files) {
      const file = await forms.get(`files/${fileId}`);
      const content = Buffer.from(await file.arrayBuffer());
      const hash = createHash('sha256').update(content).digest('hex');
      expect([file.status, content.length, hash]).toEqual([200, size, sha256]);
    }
    all.push(...files);
  }
  return all;
}

/** Lists files and thumbnails without a content on disk. */
function missingIn(dataDir: string, files: readonly EvidenceFile[]): string[] {
  const there = new Set(filesBelow(join(dataDir, 'evidence')).map((file) => file.split('/').at(-1)));
  const contents = files.flatMap(storedContentsOf);
  return contents.map(({ id }) => id).filter((id) => !there.has(id));
}

/** Searches the disk for the middle of each sent file, which is unique. */
function tracesOf(sent: readonly Buffer[], dataDir: string): string[] {
  const search = createTraceSearch(
    sent.map((content, index) => {
      const middle = Math.floor(content.length / 2);
      return { name: `upload ${index}`, content: content.subarray(middle, middle + 32) };
    }),
  );
  return filesBelow(dataDir).flatMap((file) =>
    search(readFileSync(file)).map(({ name, encoding }) => `${relative(dataDir, file)}: ${name} as ${encoding}`),
  );
}
