// Kills a server of the S3 API during uploads, and starts the service for each source of credentials.
import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { type EvidenceFile, storedContentsOf } from '@countersign/domain/evidence';
import { createApiClient, dataOf, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { extent } from '@countersign/test-support/installation/extent';
import { askForEverything, givenClientOf } from '@countersign/test-support/installation/operator';
import { storedFilesOf } from '@countersign/test-support/installation/stored-files';
import { noisyJpeg, pdf } from '@countersign/test-support/pages/pictures';
import { openSubjectForms, type SubjectForms } from '@countersign/test-support/pages/subject-forms';
import { runCountersign } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, type S3Server, startS3 } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

const UPLOADS = extent({ full: 200, short: 12 });
const KILLS = extent({ full: 5, short: 1 });
const SUBJECTS = extent({ full: 20, short: 2 });

/** Creates a PDF of about so many bytes, each of its own. Larger than 5 MiB, it is uploaded in parts. */
function paper(bytes: number): Buffer {
  const noise = randomBytes(bytes / 2).toString('hex');
  const object = `9 0 obj\n<< /Length ${noise.length} >>\nstream\n${noise}\nendstream\nendobj\n`;
  return Buffer.from(pdf('Letter').toString('latin1').replace('\n', `\n${object}`), 'latin1');
}

/** Leaves credentials to the other members of the SDK's chain. */
const NO_KEYS = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };

function formOf(content: Buffer): FormData {
  const body = new FormData();
  body.set('file', new Blob([new Uint8Array(content)]), 'file');
  return body;
}

async function readiness({ origin }: ServerProcess): Promise<[number, unknown]> {
  const response = await fetch(`${origin}/readyz`);
  return [response.status, await response.json()];
}

interface Subject {
  readonly id: string;
  readonly url: string;
  readonly forms: SubjectForms;
}

describeWith(['s3'], 'evidence in a bucket', () => {
  let s3: S3Server;
  let picture: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    s3 = await startS3();
    picture = new Uint8Array(await noisyJpeg(0.3));
  });
  afterAll(() => s3?.stop());

  function environment(bucket: string): Record<string, string> {
    const url = `s3://${bucket}/countersign?endpoint=${s3.endpoint}&path-style=on`;
    return { ...s3.env, EVIDENCE_URL: url };
  }

  const objectsIn = (bucket: string): string[] => {
    const folder = join(s3.folder, bucket, 'countersign');
    return existsSync(folder) ? filesBelow(folder).map((file) => relative(folder, file)) : [];
  };

  /** Begins a subject's flow and stops at a page after the first picture: by default the proof of address, which takes PDFs. */
  async function givenSubject(
    server: ServerProcess,
    key: string,
    reference: string,
    page = 'proof-of-address',
  ): Promise<Subject> {
    const answer = await createApiClient(server.baseUrl, key).post(newSubject(reference));
    const url = String(dataOf(answer).verificationUrl);
    const forms = await openSubjectForms(url, 'kyc');
    await forms.walk({ file: () => new Blob([picture]) }, page);
    return { id: idOf(answer), url, forms };
  }

  it(`kill -9 of the object storage in ${UPLOADS} uploads: no accepted file is missing, no orphan stays`, {
    timeout: 1_200_000,
  }, async () => {
    const bucket = s3.createBucket();
    const server = await startServer({ env: environment(bucket) });
    const { clientId, key } = await givenClientOf(server, { plan: 'enterprise' });
    await askForEverything(server, clientId);
    const subjects: Subject[] = [];
    for (let n = 0; n < SUBJECTS; n += 1) subjects.push(await givenSubject(server, key, `subject-${n}`));
    const filesBefore = objectsIn(bucket).length / 2;
    const counts = { sent: 0, accepted: 0, refused: 0 };
    let killed = 0;
    let dead: Promise<void> | undefined;

    /** Kills the object storage in the midst of uploads, and starts it again after some were refused. */
    async function killOnce(): Promise<void> {
      const refusedBefore = counts.refused;
      await s3.kill();
      await until(() => counts.refused > refusedBefore || counts.sent >= UPLOADS);
      await s3.start();
      killed += 1;
      dead = undefined;
    }

    const uploading = subjects.map(async ({ forms }) => {
      while (counts.sent < UPLOADS) {
        counts.sent += 1;
        // Every fourth is a PDF, uploaded in parts. The others are pictures: drawing a PDF takes five times as much processor time.
        const isLarge = counts.sent % 4 === 0;
        const { status } = isLarge
          ? await forms.post('proof-of-address', formOf(paper(6_000_000)))
          : await forms.upload('proof-of-address', new Blob([picture]));
        if (status === 303) counts.accepted += 1;
        else if (status === 503) counts.refused += 1;
        else throw new Error(`an upload was answered with ${status}`);
        const isDue = counts.sent > ((killed + 1) * UPLOADS) / (KILLS + 1);
        if (isDue && killed < KILLS && dead === undefined) dead = killOnce();
      }
    });
    await Promise.all(uploading);
    await dead;
    expect([killed, counts.sent >= UPLOADS, counts.refused >= KILLS]).toEqual([KILLS, true, true]);

    const files: EvidenceFile[] = [];
    for (const { id, forms } of subjects) {
      for (const each of await storedFilesOf(server, id)) {
        const { id: fileId, size, sha256 } = each;
        const file = await forms.get(`files/${fileId}`);
        const content = Buffer.from(await file.arrayBuffer());
        const hash = createHash('sha256').update(content).digest('hex');
        expect([file.status, content.length, hash]).toEqual([200, size, sha256]);
        files.push(each);
      }
    }
    expect(files.length).toBe(filesBefore + counts.accepted);
    const named = files.flatMap(storedContentsOf).map(({ id }) => id);
    expect(named.length, 'each file has a thumbnail').toBe(2 * files.length);
    // The kills may leave orphans; the test adds one.
    const [some = ''] = objectsIn(bucket).filter((path) => path.endsWith(named[0] ?? ''));
    const folder = join(s3.folder, bucket, 'countersign');
    copyFileSync(join(folder, some), join(folder, dirname(some), '0198c0de-0000-7000-8000-00000000dead'));
    const orphans = objectsIn(bucket).length - named.length;
    expect(orphans).toBeGreaterThanOrEqual(1);

    // A file is deleted as an orphan after an hour, because an upload may be in progress.
    await server.stop();
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const file of filesBelow(join(s3.folder, bucket))) utimesSync(file, longAgo, longAgo);
    const restarted = await startServer({ dataDir: server.dataDir, env: environment(bucket) });
    await until(() => objectsIn(bucket).length === named.length);
    expect(
      objectsIn(bucket)
        .map((path) => path.split('/').at(-1))
        .sort(),
    ).toEqual(named.sort());
    await restarted.stop();
    console.info(
      `kill -9 of the object storage: ${killed} kills, ${counts.sent} uploads, ${counts.accepted} accepted, ${counts.refused} refused with 503, ${orphans} orphans deleted`,
    );
  });

  it('a bucket that is gone: uploads get 503, the API, pages and readiness work, and doctor names it', async () => {
    const bucket = s3.createBucket();
    const metricsPort = await freePort();
    const server = await startServer({ env: { ...environment(bucket), METRICS_PORT: String(metricsPort) } });
    const { clientId, key } = await givenClientOf(server, {});
    await askForEverything(server, clientId);
    const subject = await givenSubject(server, key, 'with files');
    s3.deleteBucket(bucket);

    const refused = await subject.forms.post('proof-of-address', formOf(paper(10_000)));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    const created = await createApiClient(server.baseUrl, key).post(newSubject('without files'));
    expect([created.status, (await subject.forms.get('')).status]).toEqual([201, 200]);
    expect(await readiness(server)).toEqual([200, { status: 'ready', degraded: ['evidence'] }]);
    const doctor = await runCountersign(['doctor'], server.env);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('(NoSuchBucket)')]);
    expect(server.output()).toContain('"code":"NoSuchBucket"');
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^countersign_evidence_unavailable_total\{operation="put"\} [1-9]/m);

    s3.createBucket(bucket);
    expect((await subject.forms.post('proof-of-address', formOf(paper(10_000)))).status).toBe(303);
    expect(await readiness(server)).toEqual([200, { status: 'ready' }]);
    await server.stop();
  });

  it('an object storage that is down at the start: one warning, 503 for uploads, and no restart is needed', async () => {
    const bucket = s3.createBucket();
    await s3.kill();
    const server = await startServer({ env: environment(bucket) });
    const warnings = server
      .output()
      .split('\n')
      .filter((line) => line.includes('(ECONNREFUSED)'));
    expect(warnings).toEqual([expect.stringContaining('does not answer: correct the endpoint')]);
    const { clientId, key } = await givenClientOf(server, {});
    await askForEverything(server, clientId);
    await expect(givenSubject(server, key, 'too early')).rejects.toThrow('answered with 503');
    await s3.start();
    await givenSubject(server, key, 'in time', 'document-back');
    expect(objectsIn(bucket).length).toBeGreaterThan(0);
    await server.stop();
  });

  /** Starts a service that gives the credentials of a role, and returns its URL. */
  async function givenRoles(answer: (path: string) => string): Promise<string> {
    const roles = createServer((request, response) => response.end(answer(request.url ?? '')));
    await new Promise<void>((resolve) => roles.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void roles.close());
    return `http://127.0.0.1:${(roles.address() as AddressInfo).port}`;
  }

  const EXPIRATION = new Date(Date.now() + 3_600_000).toISOString();

  it.each([
    [
      'the endpoint of its container',
      async () => ({ AWS_CONTAINER_CREDENTIALS_FULL_URI: `${await givenRoles(() => roleOf(s3))}/role` }),
    ],
    [
      'the metadata of its machine',
      async () => ({
        AWS_EC2_METADATA_SERVICE_ENDPOINT: await givenRoles((path) =>
          // A token, then the name of the role, then its credentials.
          path.endsWith('/role') ? roleOf(s3) : path.endsWith('/token') ? 'token' : 'role',
        ),
      }),
    ],
    [
      'the security token service, for the token of its service account',
      async () => {
        const token = join(temporaryFolder(), 'token');
        writeFileSync(token, 'token');
        return {
          AWS_ENDPOINT_URL_STS: await givenRoles(() => assumedRoleOf(s3)),
          AWS_WEB_IDENTITY_TOKEN_FILE: token,
          AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/countersign',
        };
      },
    ],
    [
      'a process of its profile',
      async () => {
        const folder = temporaryFolder();
        writeFileSync(join(folder, 'role.json'), roleOf(s3));
        writeFileSync(
          join(folder, 'config'),
          `[profile evidence]\ncredential_process = cat ${join(folder, 'role.json')}\n`,
        );
        return { AWS_CONFIG_FILE: join(folder, 'config'), AWS_PROFILE: 'evidence' };
      },
    ],
  ])('credentials of a role: the server gets them from %s', async (_, settings) => {
    const bucket = s3.createBucket();
    const server = await startServer({ env: { ...environment(bucket), ...NO_KEYS, ...(await settings()) } });
    const { clientId, key } = await givenClientOf(server, {});
    await askForEverything(server, clientId);
    await givenSubject(server, key, 'by role', 'document-back');
    expect(objectsIn(bucket).length).toBeGreaterThan(0);
    await server.stop();
  });

  /** Credentials of a role as a container, a machine and a process of a profile get them. */
  function roleOf({ env }: S3Server): string {
    return JSON.stringify({
      Version: 1,
      Code: 'Success',
      AccessKeyId: env.AWS_ACCESS_KEY_ID,
      SecretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      Token: '',
      Expiration: EXPIRATION,
    });
  }

  /** The answer of the security token service. */
  function assumedRoleOf({ env }: S3Server): string {
    const credentials = `<AccessKeyId>${env.AWS_ACCESS_KEY_ID}</AccessKeyId><SecretAccessKey>${env.AWS_SECRET_ACCESS_KEY}</SecretAccessKey><SessionToken></SessionToken><Expiration>${EXPIRATION}</Expiration>`;
    return `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
  }

  it.each([
    ['bucket', (url: string) => ({ EVIDENCE_URL: url.replace(/bucket-\d+/, 'no-such-bucket') }), 'NoSuchBucket'],
    ['secret', () => ({ AWS_SECRET_ACCESS_KEY: 'other' }), 'SignatureDoesNotMatch'],
    ['region', () => ({ AWS_REGION: 'us-west-2' }), 'AuthorizationHeaderMalformed'],
    ['place for the region', () => ({ AWS_REGION: '' }), 'NO_REGION'],
    [
      'place for credentials',
      () => ({ ...NO_KEYS, AWS_EC2_METADATA_DISABLED: 'true' }),
      'CredentialsProviderError',
    ],
  ])('a wrong %s: the server refuses to start with one line', async (_, change, code) => {
    const env = environment(s3.createBucket());
    const { stderr, code: exitCode } = await runCountersign(['serve'], {
      ...env,
      DATA_DIR: temporaryFolder(),
      ...change(env.EVIDENCE_URL ?? ''),
    });
    expect(exitCode).toBe(78);
    expect(stderr).toMatch(
      new RegExp(`^countersign: EVIDENCE_URL cannot be used: s3://[^\\n]+ \\(${code}\\)\\n$`),
    );
  });
});
