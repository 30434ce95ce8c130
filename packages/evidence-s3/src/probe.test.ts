import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { describeWith } from '@countersign/test-support/servers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { givenS3 } from '../test-support/given-s3.ts';

const wrong = (accessKeyId: string, secretAccessKey: string) => ({ accessKeyId, secretAccessKey });

describeWith(['s3'], 'the check of a bucket', () => {
  const s3 = givenS3();

  test('probe: of a bucket that works returns the clock and leaves no object', async () => {
    const evidence = s3.evidence();
    expect(await evidence.probe()).toEqual({
      clockDifferenceMs: expect.any(Number),
      roundTripMs: expect.any(Number),
      keepsVersions: false,
    });
    for await (const file of evidence.files.list()) expect(file).toBeUndefined();
  });

  test.each([
    ['bucket', () => ({ bucket: 'no-such-bucket' }), 'NoSuchBucket', false],
    ['access key', () => ({ credentials: wrong('other', 'test-secret') }), 'XAdminUserNotFound', false],
    ['secret', () => ({ credentials: wrong('test-user', 'other') }), 'SignatureDoesNotMatch', false],
    ['region', () => ({ region: 'us-west-2' }), 'AuthorizationHeaderMalformed', false],
    ['port', () => ({ endpoint: 'http://127.0.0.1:9' }), 'ECONNREFUSED', true],
    ['host', () => ({ endpoint: 'http://no-such-host.invalid:9000' }), 'ENOTFOUND', true],
    ['scheme', () => ({ endpoint: s3.server.endpoint.replace('http:', 'https:') }), 'EPROTO', false],
  ])('probe: names a wrong %s in one line', async (_, change, code, isTemporary) => {
    const evidence = s3.evidence({ ...s3.options(), ...change() });
    const error = await evidence.probe().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'S3EvidenceError', code, isTemporary });
    expect(String(error)).toMatch(/^S3EvidenceError: s3:\/\/\S+ at \S+ [^\n]+: [^\n]*correct [^\n]+ \(\w+\)$/);
  });

  test('probe: reports that a bucket keeps versions of deleted files', async () => {
    const options = s3.options();
    const { region, endpoint, credentials, bucket: Bucket } = options;
    const client = new S3Client({ region, endpoint, credentials, forcePathStyle: true });
    onTestFinished(() => client.destroy());
    const VersioningConfiguration = { Status: 'Enabled' as const };
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    expect(await s3.evidence(options).probe()).toMatchObject({ keepsVersions: true });
  });

  test('probe: names an endpoint that is another web server', async () => {
    const server = createServer((_, response) => response.end('<html>Welcome</html>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(s3.evidence({ ...s3.options(), endpoint }).probe()).rejects.toMatchObject({
      name: 'S3EvidenceError',
      isTemporary: false,
    });
  });

  test('probe: a clock that is twenty minutes off is reported, and calls work', async () => {
    const ahead = Date.now() + 20 * 60_000;
    vi.useFakeTimers({ toFake: ['Date'], now: ahead });
    onTestFinished(() => void vi.useRealTimers());
    const { clockDifferenceMs } = await s3.evidence().probe();
    expect(Math.round(clockDifferenceMs / 60_000)).toBe(-20);
  });
});
