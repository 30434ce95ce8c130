// Kills a copy of many files again and again.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createFileEvidenceStore } from '@countersign/evidence';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { extent } from '@countersign/test-support/installation/extent';
import { start } from '@countersign/test-support/processes/child-process';
import { PROGRAM } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, type S3Server, startS3 } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

const FILES = extent({ full: 300, short: 60 });
const KILLS = extent({ full: 6, short: 2 });

describeWith(['s3'], 'countersign evidence copy', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3?.stop());

  it(`${FILES} files, killed ${KILLS} times while the source changes: the copy is equal`, {
    timeout: 300_000,
  }, async () => {
    const directory = join(temporaryFolder(), 'evidence');
    const store = createFileEvidenceStore({ directory });
    let count = 0;
    /** Every tenth is uploaded in parts. */
    const add = async () => {
      count += 1;
      const place = { clientId: 'client-1', verificationId: `verification-${count % 7}`, fileId: `file-${count}` };
      await store.put(place, randomBytes(count % 10 === 0 ? 6_000_000 : 40_000));
      return place;
    };
    while (count < FILES) await add();

    const bucket = s3.createBucket();
    const to = `s3://${bucket}/countersign?endpoint=${s3.endpoint}&path-style=on`;
    const copy = () =>
      start(process.execPath, [PROGRAM, '--json', 'evidence', 'copy', '--from', `file:${directory}`, '--to', to], {
        env: { ...s3.env },
      });
    const folder = join(s3.folder, bucket, 'countersign');
    const objectsHere = () =>
      existsSync(folder)
        ? filesBelow(folder)
            .map((file) => relative(folder, file))
            .filter((path) => !path.startsWith('.'))
        : [];
    const isEqual = (path: string) =>
      Buffer.compare(readFileSync(join(folder, path)), readFileSync(join(directory, path))) === 0;

    let deleted = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const running = copy();
      const due = (FILES * kill) / (KILLS + 1);
      await until(() => objectsHere().length >= due);
      running.signal('SIGKILL');
      expect(await running.finished).toMatchObject({ signal: 'SIGKILL' });
      for (const path of objectsHere())
        if (existsSync(join(directory, path))) expect(isEqual(path), path).toBe(true);

      // What a server does meanwhile: it stores a file, and erases one that was copied.
      await add();
      const erased = objectsHere().find((path) => existsSync(join(directory, path))) ?? '';
      rmSync(join(directory, erased));
      deleted += 1;
    }
    const present = objectsHere().filter((path) => existsSync(join(directory, path)));
    const damaged = join(folder, present[0] ?? '');
    writeFileSync(damaged, readFileSync(damaged).fill(7, 100));

    const { code, stdout, stderr } = await copy().finished;
    expect([code, stderr.match(/countersign:/)]).toEqual([0, null]);
    const files = FILES + KILLS - deleted;
    expect(JSON.parse(stdout)).toMatchObject({
      files,
      written: files - present.length + 1,
      damaged: [],
      conflicts: [],
      others: deleted,
    });
    const paths = filesBelow(directory).map((file) => relative(directory, file));
    expect(paths).toHaveLength(files);
    for (const path of paths) expect(isEqual(path), path).toBe(true);
    console.info(`evidence copy: ${KILLS} kills, ${files} files equal, ${files - present.length} by the last run`);
  });
});
