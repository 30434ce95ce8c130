/** A bucket of S3 or of a compatible object storage. */
export interface S3Place {
  readonly bucket: string;
  /** Where in the bucket the files are, such as `countersign/evidence`, without a slash at its ends. Default: the whole bucket. */
  readonly prefix?: string | undefined;
  /** Default: that of the SDK, such as of `AWS_REGION`. */
  readonly region?: string | undefined;
  /** URL of a compatible object storage. Default: that of the SDK, which is S3 of AWS. */
  readonly endpoint?: string | undefined;
  /** Whether the bucket is in the path of a URL, not in its host name. Default false. */
  readonly pathStyle?: boolean | undefined;
}

/** Names a place for operators: `s3://bucket/prefix`, with the host of the endpoint. */
export function textOf({ bucket, prefix, endpoint }: S3Place): string {
  const path = prefix === undefined || prefix === '' ? bucket : `${bucket}/${prefix}`;
  return endpoint === undefined ? `s3://${path}` : `s3://${path} at ${new URL(endpoint).host}`;
}
