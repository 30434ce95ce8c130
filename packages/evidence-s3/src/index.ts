export type { BucketOptions as S3EvidenceOptions } from './bucket.ts';
export type { S3Facts } from './probe.ts';
export { createS3Evidence, type S3Evidence } from './s3-evidence.ts';
export { S3EvidenceError } from './s3-evidence-error.ts';
export type { S3Place } from './s3-place.ts';
