import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { isBucketCode } from './bucket-fault.ts';
import { callsUntil, endedBy } from './calls-until.ts';
import { watchClock } from './clock-difference.ts';
import { openObject } from './open-object.ts';
import { putOnce } from './put-once.ts';
import { retryLostFolders } from './retry-lost-folders.ts';
import type { S3Place } from './s3-place.ts';

/** The bucket of the evidence, and how to reach it. */
export interface BucketOptions extends S3Place {
  /** Default: the SDK's own chain, such as environment variables, profiles and roles of the machine. */
  readonly credentials?: S3ClientConfig['credentials'] | undefined;
  /** How long a call may take, with all of its attempts and the transfer, in milliseconds. */
  readonly deadlines?: Deadlines | undefined;
}

export interface Deadlines {
  /** Of calls without a file. */
  readonly callMs: number;
  /** Of calls that transfer a file. */
  readonly fileMs: number;
}

/** A subject waits for an upload, and gives up after about a minute. */
const DEADLINES: Deadlines = { callMs: 15_000, fileMs: 30_000 };

const CONNECT_WITHIN_MS = 3_000;

/** Attempts at a call, with growing pauses between them, and at the bytes of an object. */
const ATTEMPTS = 3;

/** An object of the bucket, below the prefix. */
export interface BucketObject {
  /** Relative to the prefix. */
  readonly name: string;
  readonly bytes: number;
  readonly modified: Date;
}

/** An upload in parts that has not ended. */
export interface UnfinishedUpload {
  /** Name of its object, relative to the prefix. */
  readonly name: string;
  readonly id: string;
  /** By the object storage's clock. */
  readonly begun: Date;
}

/** The calls of one bucket that the store needs, below its prefix. They reject with errors of the SDK or of the system. */
export interface Bucket {
  /** Gets credentials from their source, as each call does. */
  findCredentials(): Promise<void>;
  /** Stores an object whole. @returns false if there is one, which may not be replaced */
  put(name: string, body: Uint8Array | Readable, options?: { readonly replace?: boolean }): Promise<boolean>;
  /** Returns the bytes of an object, or null if there is none. A read fails once the deadline is over. */
  get(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  delete(name: string): Promise<void>;
  /** Lists the objects whose names begin with a text. */
  list(start: string): AsyncIterable<BucketObject>;
  /** Begins an upload in parts. @returns its id */
  beginUpload(name: string): Promise<string>;
  /** Lists uploads in parts that have not ended. */
  unfinishedUploads(): AsyncIterable<UnfinishedUpload>;
  /** Aborts such an upload and deletes its parts. Succeeds if it is gone already. */
  abortUpload(upload: Pick<UnfinishedUpload, 'name' | 'id'>): Promise<void>;
  /** Reads whether the bucket keeps versions of deleted objects; undefined where that cannot be read. */
  keepsVersions(): Promise<boolean | undefined>;
  /** Difference between the clocks of the object storage and of this machine; 0 before the first answer. */
  clockDifference(): { readonly clockDifferenceMs: number; readonly roundTripMs: number };
  close(): void;
}

export function createBucket({
  bucket: Bucket,
  prefix = '',
  region,
  endpoint,
  pathStyle = false,
  credentials,
  deadlines = DEADLINES,
}: BucketOptions): Bucket {
  const client = new S3Client({
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    // The checksum at the start of each file distinguishes damage from an outage.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_WITHIN_MS },
  });
  const clock = watchClock(client);
  retryLostFolders(client);
  const base = prefix === '' ? '' : `${prefix}/`;
  const within = (ms: number = deadlines.callMs) => callsUntil(client, AbortSignal.timeout(ms));

  return {
    async findCredentials() {
      await endedBy(AbortSignal.timeout(deadlines.callMs), client.config.credentials());
    },

    put(name, body, { replace = false } = {}) {
      const abortSignal = AbortSignal.timeout(deadlines.fileMs);
      return putOnce(callsUntil(client, abortSignal), { Bucket, Key: base + name, body, replace, abortSignal });
    },

    async get(name) {
      const abortSignal = AbortSignal.timeout(deadlines.fileMs);
      try {
        return await openObject(callsUntil(client, abortSignal), {
          Bucket,
          Key: base + name,
          attempts: ATTEMPTS,
          abortSignal,
        });
      } catch (error) {
        if (isBucketCode(error, 'NoSuchKey')) return null;
        throw error;
      }
    },

    async delete(name) {
      await within().send(new DeleteObjectCommand({ Bucket, Key: base + name }));
    },

    async *list(start) {
      let token: string | undefined;
      do {
        const command = new ListObjectsV2Command({
          Bucket,
          Prefix: base + start,
          ...(token !== undefined && { ContinuationToken: token }),
        });
        const page: ListObjectsV2CommandOutput = await within().send(command);
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          yield { name: Key.slice(base.length), bytes: Size, modified: LastModified };
        }
        token = page.NextContinuationToken;
      } while (token !== undefined);
    },

    async beginUpload(name) {
      const { UploadId = '' } = await within().send(
        new CreateMultipartUploadCommand({ Bucket, Key: base + name }),
      );
      return UploadId;
    },

    async *unfinishedUploads() {
      let markers: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> = {};
      for (;;) {
        const command = new ListMultipartUploadsCommand({ Bucket, Prefix: base, ...markers });
        const page: ListMultipartUploadsCommandOutput = await within().send(command);
        for (const { Key = '', UploadId = '', Initiated = new Date() } of page.Uploads ?? []) {
          yield { name: Key.slice(base.length), id: UploadId, begun: Initiated };
        }
        if (page.IsTruncated !== true) return;
        markers = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
      }
    },

    async abortUpload({ name, id }) {
      try {
        await within().send(new AbortMultipartUploadCommand({ Bucket, Key: base + name, UploadId: id }));
      } catch (error) {
        // It ended meanwhile, or another server deleted its parts.
        if (!isBucketCode(error, 'NoSuchUpload')) throw error;
      }
    },

    async keepsVersions() {
      try {
        const { Status } = await within().send(new GetBucketVersioningCommand({ Bucket }));
        // Versions from before a suspension stay.
        return Status !== undefined;
      } catch (error) {
        if (isBucketCode(error, 'AccessDenied', 'NotImplemented', 'MethodNotAllowed', 'VersioningNotConfigured')) {
          return undefined;
        }
        throw error;
      }
    },

    clockDifference: clock.difference,
    close: () => client.destroy(),
  };
}
