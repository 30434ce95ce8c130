import { type S3Server, startS3 } from '@countersign/test-support/servers';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { BucketOptions } from '../src/bucket.ts';
import { createS3Evidence, type S3Evidence } from '../src/s3-evidence.ts';

/** The options of a bucket on the server. */
interface NewBucket extends BucketOptions {
  readonly region: string;
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Starts a server for the tests of a suite. */
export function givenS3(): {
  readonly server: S3Server;
  /** Returns the options of a new bucket. */
  options(): NewBucket;
  /** Opens evidence in a new bucket, or by options. It is closed after the test. */
  evidence(options?: BucketOptions): S3Evidence;
} {
  let server: S3Server | undefined;
  const open: S3Evidence[] = [];
  beforeAll(async () => {
    server = await startS3();
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });
  afterAll(() => server?.stop());

  const running = (): S3Server => {
    if (server === undefined) throw new Error('the server runs during tests only');
    return server;
  };
  const options = (): NewBucket => ({
    bucket: running().createBucket(),
    prefix: 'countersign/evidence',
    region: running().env.AWS_REGION,
    endpoint: running().endpoint,
    pathStyle: true,
    credentials: {
      accessKeyId: running().env.AWS_ACCESS_KEY_ID,
      secretAccessKey: running().env.AWS_SECRET_ACCESS_KEY,
    },
  });
  return {
    get server() {
      return running();
    },
    options,
    evidence(given = options()) {
      const evidence = createS3Evidence(given);
      open.push(evidence);
      return evidence;
    },
  };
}
