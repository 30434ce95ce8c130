import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { describeWith } from '@countersign/test-support/servers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { givenProxy } from '../test-support/given-proxy.ts';
import { givenS3 } from '../test-support/given-s3.ts';
import { describe } from './s3-evidence-error.ts';

const wrong = (accessKeyId: string, secretAccessKey: string) => ({ accessKeyId, secretAccessKey });

describeWith(['s3'], 'the check of a bucket', () => {
  const s3 = givenS3();

  test('probe: of a bucket that works returns the clock and leaves no object', async () => {
    const options = s3.options();
    expect(await s3.evidence(options).probe()).toEqual({
      clockDifferenceMs: expect.any(Number),
      roundTripMs: expect.any(Number),
      keepsVersions: false,
    });
    const left = readdirSync(join(s3.server.folder, options.bucket), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });

  test.each([
    ['bucket', () => ({ bucket: 'no-such-bucket' }), 'NoSuchBucket', false],
    ['access key', () => ({ credentials: wrong('other', 'test-secret') }), 'XAdminUserNotFound', false],
    ['secret', () => ({ credentials: wrong('test-user', 'other') }), 'SignatureDoesNotMatch', false],
    ['region', () => ({ region: 'us-west-2' }), 'AuthorizationHeaderMalformed', false],
    ['port', () => ({ endpoint: 'http://127.0.0.1:9' }), 'ECONNREFUSED', true],
    ['host', () => ({ endpoint: 'http://no-such-host.invalid:9000' }), 'ENOTFOUND', true],
    ['scheme', () => ({ endpoint: s3.server.endpoint.replace('http:', 'https:') }), 'EPROTO', false],
  ])('probe: names a wrong %s in one line', async (what, change, code, isTemporary) => {
    const evidence = s3.evidence({ ...s3.options(), ...change() });
    const error = await evidence.probe().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'S3EvidenceError', code, isTemporary });
    expect(String(error)).toMatch(/^S3EvidenceError: s3:\/\/\S+ at \S+ [^\n]+: [^\n]*correct [^\n]+ \(\w+\)$/);
    // The endpoint is right.
    const areCredentials = what === 'access key' || what === 'secret';
    if (areCredentials) expect(String(error)).toContain('correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
    expect(String(error).includes('the endpoint')).toBe(['port', 'host', 'scheme'].includes(what));
  });

  test.each([
    ['ENOTFOUND', true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false],
  ])('probe: suggests path-style for %s, which a bucket in the host name can cause', (code, isTemporary) => {
    const failed = Object.assign(new Error('no bucket.minio'), { code });
    expect(
      describe('s3://evidence at minio', failed, { doing: 'list objects', right: 's3:ListBucket' }),
    ).toMatchObject({
      isTemporary,
      message: expect.stringMatching(/^s3:\/\/evidence at minio has [^\n]+ path-style=on/),
    });
  });

  test.each(['Unauthorized', 'NoSuchAccessKey'])('probe: blames the credentials for %s with 401', (name) => {
    const failed = Object.assign(new Error(name), { name, $metadata: { httpStatusCode: 401 } });
    const call = { doing: 'list objects', right: 's3:ListBucket' };
    expect(describe('s3://evidence at r2', failed, call).message).toContain('correct AWS_ACCESS_KEY_ID');
  });

  test.each([
    ['s3:ListBucket', (method: string, url: string) => method === 'GET' && url.includes('list-type=2')],
    ['s3:PutObject', (method: string, url: string) => method === 'PUT' && !url.includes('partNumber')],
    ['s3:GetObject', (method: string, url: string) => method === 'GET' && url.includes('x-id=GetObject')],
    ['s3:DeleteObject', (_method: string, url: string) => url.includes('x-id=DeleteObject')],
    [
      's3:ListBucketMultipartUploads',
      (method: string, url: string) => method === 'GET' && /[?&]uploads/.test(url),
    ],
    ['s3:AbortMultipartUpload', (method: string, url: string) => method === 'DELETE' && /uploadId=/.test(url)],
  ])('probe: names the missing right %s', async (right, isDenied) => {
    const options = s3.options();
    const endpoint = await givenProxy(options.endpoint, (method, url) =>
      isDenied(method, url) ? 'denied' : 'answered',
    );
    await expect(s3.evidence({ ...options, endpoint }).probe()).rejects.toMatchObject({
      code: 'AccessDenied',
      isTemporary: false,
      message: expect.stringMatching(new RegExp(`grant them ${right} \\(`)),
    });
  });

  /** Starts a service that refuses to give credentials, and has the SDK ask it for those of a role. */
  async function givenRole(status: number, code: string) {
    const file = join(temporaryDirectory(onTestFinished), 'token');
    writeFileSync(file, 'token');
    const server = createServer((_, response) => {
      const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>No</Message></Error>`;
      response.writeHead(status, { 'content-type': 'text/xml' });
      response.end(`<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">${error}</ErrorResponse>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('AWS_ENDPOINT_URL_STS', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', file);
    vi.stubEnv('AWS_ROLE_ARN', 'arn:aws:iam::123456789012:role/countersign');
    return { file };
  }

  test.each([
    ['an expired token', 400, 'ExpiredTokenException', false, 'correct .* the role'],
    ['a trust policy without the service account', 403, 'AccessDenied', false, 'correct .* the role'],
    ['an outage', 503, 'ServiceUnavailable', true, 'their source does not answer'],
  ])('probe: names %s at the source of the credentials', async (_, status, code, isTemporary, text) => {
    await givenRole(status, code);
    const error = await s3
      .evidence({ ...s3.options(), credentials: undefined })
      .probe()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, isTemporary, message: expect.stringMatching(text) });
  });

  test('probe: names a missing region before the credentials of a role', async () => {
    await givenRole(200, '');
    vi.stubEnv('AWS_REGION', undefined);
    const options = { ...s3.options(), credentials: undefined, region: undefined };
    await expect(s3.evidence(options).probe()).rejects.toMatchObject({ code: 'NO_REGION', isTemporary: false });
    await expect(s3.evidence(options).probe()).rejects.toThrow('set the region');
  });

  test('probe: names the credentials if their file is missing', async () => {
    const { file } = await givenRole(200, '');
    rmSync(file);
    await expect(s3.evidence({ ...s3.options(), credentials: undefined }).probe()).rejects.toMatchObject({
      code: 'ENOENT',
      isTemporary: false,
      message: expect.stringContaining('the role'),
    });
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
