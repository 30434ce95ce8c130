// Sends large files to a server of the S3 API.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { EvidencePlace } from '@countersign/domain/evidence';
import { describeWith } from '@countersign/test-support/servers';
import { expect, onTestFinished, test } from 'vitest';
import { givenProxy } from '../test-support/given-proxy.ts';
import { givenS3 } from '../test-support/given-s3.ts';

const PLACE: EvidencePlace = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'file-1' };
const KEY = 'countersign/evidence/client-1/verification-1/file-1';
const CONTENT = Uint8Array.of(1, 2, 3);
const FUTURE = new Date('2200-01-01T00:00:00Z');

const place = (fileId: string): EvidencePlace => ({ ...PLACE, fileId });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describeWith(['s3'], 'S3 evidence store', () => {
  const s3 = givenS3();

  test('S3 evidence store: an object has the format of a file in an evidence folder', async () => {
    const options = s3.options();
    await s3.evidence(options).store.put(PLACE, CONTENT);
    const stored = readFileSync(join(s3.server.folder, options.bucket, KEY));
    expect(stored.subarray(0, 22).toString()).toBe('countersign-evidence-1');
    expect(stored.subarray(-3)).toEqual(Buffer.from(CONTENT));
  });

  test('S3 evidence store: get rejects an object that was changed in the bucket', async () => {
    const options = s3.options();
    const { store } = s3.evidence(options);
    await store.put(PLACE, CONTENT);
    const file = join(s3.server.folder, options.bucket, KEY);
    const stored = readFileSync(file);
    writeFileSync(file, stored.fill(7, stored.length - 1));
    await expect(store.get(PLACE)).rejects.toMatchObject({ code: 'FILE_DAMAGED' });
  });

  test('S3 evidence store: a second file at a place is refused with FILE_EXISTS, also if it is large', async () => {
    const { store } = s3.evidence();
    await store.put(PLACE, new Uint8Array(6_000_000));
    await expect(store.put(PLACE, new Uint8Array(6_000_001))).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect((await store.get(PLACE))?.byteLength).toBe(6_000_000);
  });

  const isSmallPut = (method: string) => method === 'PUT';
  const isLargePut = (method: string, url: string) => method === 'POST' && /[?&]uploadId=/.test(url);

  test.each([
    ['a small file', 'the answer to its first attempt', 1_000, isSmallPut, 'lost'],
    ['a large file', 'the answer to its first attempt', 12_000_000, isLargePut, 'lost'],
    ['a small file', 'its folder', 1_000, isSmallPut, 'folder lost'],
    ['a large file', 'its folder', 12_000_000, isLargePut, 'folder lost'],
  ] as const)(
    'S3 evidence store: put of %s resolves if %s is lost',
    async (_file, _what, bytes, isPut, outcome) => {
      const options = s3.options();
      let lost = 0;
      const endpoint = await givenProxy(options.endpoint, (method, url) =>
        isPut(method, url) && lost++ === 0 ? outcome : 'answered',
      );
      const { store } = s3.evidence({ ...options, endpoint });
      await store.put(PLACE, new Uint8Array(bytes).fill(7));
      expect(lost).toBeGreaterThan(0);
      expect((await s3.evidence(options).store.get(PLACE))?.byteLength).toBe(bytes);
    },
  );

  test.each([
    ['twice: the whole file arrives', 2, true],
    ['each time: get rejects', Number.POSITIVE_INFINITY, false],
  ])('S3 evidence store: a connection breaks while a file is read, %s', async (_, times, isWhole) => {
    const options = s3.options();
    const content = new Uint8Array(randomBytes(4_000_000));
    await s3.evidence(options).store.put(PLACE, content);
    let broken = 0;
    const endpoint = await givenProxy(options.endpoint, (method, url) =>
      method === 'GET' && url.includes('x-id=GetObject') && broken++ < times ? 'broken' : 'answered',
    );
    const read = s3.evidence({ ...options, endpoint }).store.get(PLACE);
    if (isWhole) expect(Buffer.compare((await read) ?? CONTENT, content)).toBe(0);
    else await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(broken).toBeGreaterThanOrEqual(3);
  });

  /** Opens a client of the SDK. It is closed after the test. */
  function givenClient({ region, endpoint, credentials }: ReturnType<typeof s3.options>): S3Client {
    const client = new S3Client({ region, endpoint, credentials, forcePathStyle: true });
    onTestFinished(() => client.destroy());
    return client;
  }

  /** Begins uploads in parts that never end, and returns a function that lists the keys of those that are left. */
  async function givenUnfinishedUploads(options: ReturnType<typeof s3.options>, keys: readonly string[]) {
    const { bucket: Bucket } = options;
    const client = givenClient(options);
    for (const Key of keys) await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    return async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return Uploads.map(({ Key }) => Key);
    };
  }

  /** Sets the times of all uploads in parts to 1970. */
  function ageUploads(): void {
    for (const entry of readdirSync(s3.server.folder, { recursive: true, withFileTypes: true })) {
      if (entry.parentPath.includes('multipart')) utimesSync(join(entry.parentPath, entry.name), 1, 1);
    }
  }

  test('S3 evidence store: listing deletes the parts of an upload that never ended, once it is an hour old', async () => {
    const options = s3.options();
    const { store } = s3.evidence(options);
    const left = await givenUnfinishedUploads(options, [KEY]);
    await all(store.listWrittenBefore(FUTURE));
    expect(await left(), 'it may still be running').toEqual([KEY]);
    ageUploads();
    await all(store.listWrittenBefore(FUTURE));
    expect(await left()).toEqual([]);
  });

  test('S3 evidence store: listing leaves old uploads of other programs alone', async () => {
    const options = { ...s3.options(), prefix: '' };
    const others = ['database/monday.dump', `${KEY}.dump`];
    const left = await givenUnfinishedUploads(options, others);
    ageUploads();
    await all(s3.evidence(options).store.listWrittenBefore(FUTURE));
    expect((await left()).sort()).toEqual(others.sort());
  });

  test('S3 evidence store: listing deletes what a check left that was killed, once it is an hour old', async () => {
    const options = s3.options();
    const { store } = s3.evidence(options);
    const folder = join(s3.server.folder, options.bucket, 'countersign/evidence/.probe');
    const { bucket: Bucket } = options;
    const client = givenClient(options);
    for (const name of ['old', 'new']) {
      await client.send(new PutObjectCommand({ Bucket, Key: `countersign/evidence/.probe/${name}`, Body: 'x' }));
    }
    utimesSync(join(folder, 'old'), 1, 1);
    const left = await givenUnfinishedUploads(options, ['countersign/evidence/.probe/old']);
    ageUploads();
    await all(store.listWrittenBefore(FUTURE));
    expect([readdirSync(folder), await left()]).toEqual([['new'], []]);
  });

  test('S3 evidence store: two listings at once delete all old parts', async () => {
    const options = s3.options();
    const { store } = s3.evidence(options);
    const left = await givenUnfinishedUploads(
      options,
      Array.from({ length: 20 }, (_, n) => `${KEY}-${n}`),
    );
    ageUploads();
    await Promise.all([all(store.listWrittenBefore(FUTURE)), all(store.listWrittenBefore(FUTURE))]);
    expect(await left()).toEqual([]);
  });

  test('S3 evidence store: during a hold, delete removes no file and tidying lists none; after it both work', async () => {
    const { store, files } = s3.evidence();
    await store.put(PLACE, CONTENT);
    const hold = await files.holdDeletions();
    await store.delete(PLACE);
    expect([await store.get(PLACE), await all(store.listWrittenBefore(FUTURE))]).toEqual([CONTENT, []]);
    expect(await all(files.list())).toHaveLength(1);
    expect(await store.filesOf(PLACE), 'so that no erasure counts as finished').toEqual([PLACE]);
    await hold.release();
    await hold.release();
    expect(await all(store.listWrittenBefore(FUTURE))).toEqual([PLACE]);
    await store.delete(PLACE);
    expect(await store.get(PLACE)).toBeNull();
  });

  test('S3 evidence store: files of other prefixes and other programs are left alone', async () => {
    const options = s3.options();
    const inner = s3.evidence(options);
    const outer = s3.evidence({ ...options, prefix: 'countersign' });
    await inner.store.put(PLACE, CONTENT);
    expect(await outer.store.get(PLACE)).toBeNull();
    expect(await all(outer.store.listWrittenBefore(FUTURE))).toEqual([]);
    expect(await all(outer.files.list())).toEqual([]);
  });

  test.each(['', '..', 'a/b', 'a.b', 'ä', 'x'.repeat(101)])(
    'S3 evidence store: the id %j names no object',
    async (id) => {
      const { store } = s3.evidence();
      await expect(store.put(place(id), CONTENT)).rejects.toThrow('cannot be the name of a file');
      expect(await store.get(place(id))).toBeNull();
      await store.delete(place(id));
    },
  );

  test('S3 evidence store: without its bucket, every call rejects with SERVICE_UNAVAILABLE and the code alone', async () => {
    const options = s3.options();
    const { store, files } = s3.evidence(options);
    await store.put(PLACE, CONTENT);
    s3.server.deleteBucket(options.bucket);
    const calls = [
      () => store.put(place('b'), CONTENT),
      () => store.get(PLACE),
      () => store.delete(PLACE),
      () => store.filesOf(PLACE),
      () => all(store.listWrittenBefore(FUTURE)),
      () => all(files.list()),
      () => files.contentBytesOf(PLACE),
      () => files.holdDeletions(),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        message: expect.stringMatching(/^The object storage could not [\w ]+ \(NoSuchBucket\)\.$/),
      });
    }
    s3.server.createBucket(options.bucket);
    await store.put(PLACE, CONTENT);
    expect(await store.get(PLACE)).toEqual(CONTENT);
  });

  test('S3 stored files: a file read from one bucket and written into another is the same, small and large', async () => {
    const [from, to] = [s3.evidence(), s3.evidence()];
    for (const [index, bytes] of [0, 1_000, 12_000_000].entries()) {
      const at = place(`file-${index}`);
      const path = `client-1/verification-1/file-${index}`;
      await from.store.put(at, new Uint8Array(bytes).fill(index + 1));
      const chunks = (await from.files.read(path)) ?? (async function* () {})();
      expect(await to.files.write(path, chunks)).toBe(true);
      expect(Buffer.compare((await to.store.get(at)) ?? CONTENT, new Uint8Array(bytes).fill(index + 1))).toBe(0);
      expect(await to.files.write(path, (await from.files.read(path)) ?? chunks), 'there is one').toBe(false);
      expect(await to.files.write(path, (await from.files.read(path)) ?? chunks, { replace: true })).toBe(true);
    }
    expect(await to.files.contentBytesOf(PLACE)).toEqual(
      new Map([
        ['file-0', 0],
        ['file-1', 1_000],
        ['file-2', 12_000_000],
      ]),
    );
    expect(await to.files.read('client-1/verification-1/other')).toBeNull();
    expect(await to.files.read('../verification-1/other')).toBeNull();
  });
});
