import { bucketCodeOf } from './bucket-fault.ts';

/** The bucket cannot be used. The message says why in one line for operators. */
export class S3EvidenceError extends Error {
  override readonly name = 'S3EvidenceError';
  /** Code of the object storage, of the system or of the SDK. */
  readonly code: string;
  /** Whether the object storage gave no usable answer, which may pass by itself. Otherwise a setting or a right is wrong. */
  readonly isTemporary: boolean;

  constructor(message: string, options: { readonly code: string; readonly isTemporary: boolean }) {
    super(message);
    this.code = options.code;
    this.isTemporary = options.isTemporary;
  }
}

const NO_CREDENTIALS = [
  'CredentialsProviderError',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'Unauthorized',
  // versitygw answers 404.
  'XAdminUserNotFound',
];
const WRONG_REGION = [
  'PermanentRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
  'IncorrectEndpoint',
];
const WRONG_CLOCK = ['RequestTimeTooSkewed', 'RequestExpired'];
const NO_ACCESS = ['AccessDenied', 'AllAccessDisabled', 'AccountProblem', '403', 'Forbidden'];
const NO_BUCKET = ['NoSuchBucket', 'InvalidBucketName'];
const NO_CERTIFICATE =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_|EPROTO$|ERR_SSL_)/;
// A file of credentials can be missing or closed to the process.
const NO_ANSWER =
  /^(?:(?!ENOENT|EACCES)E[A-Z_]+|AbortError|TimeoutError|RequestTimeout|SlowDown|InternalError|ServiceUnavailable|InternalFailure|ThrottlingException)$/;

const WRONG_CREDENTIALS =
  'does not accept the credentials, or there are none: correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the profile or the role';

const NO_SOURCE =
  'needs credentials, and their source does not answer: correct the profile or the role, or wait until its service is back';
const NO_REGION = 'has no region: set the region, or AWS_REGION';

/** Says what to correct when the source of the credentials gave none. */
export function describeCredentials(place: string, error: unknown): S3EvidenceError {
  const code = bucketCodeOf(error);
  const isTemporary = isNoAnswer(code, error);
  const text = textOfCredentials(code, isTemporary);
  return new S3EvidenceError(`${place} ${text} (${code})`, { code, isTemporary });
}

function textOfCredentials(code: string, isTemporary: boolean): string {
  // STS has regions too.
  if (code === 'NO_REGION') return NO_REGION;
  return isTemporary ? NO_SOURCE : WRONG_CREDENTIALS;
}

/**
 * Says what to correct after a call failed.
 * @param call what was called, with the right that it needs
 */
export function describe(
  place: string,
  error: unknown,
  call: { readonly doing: string; readonly right: string },
): S3EvidenceError {
  const code = bucketCodeOf(error);
  const { text, isTemporary = false } = wordsFor(code, call, error);
  return new S3EvidenceError(`${place} ${text} (${code})`, { code, isTemporary });
}

function wordsFor(
  code: string,
  { doing, right }: { readonly doing: string; readonly right: string },
  error: unknown,
): { readonly text: string; readonly isTemporary?: boolean } {
  if (NO_BUCKET.includes(code)) return { text: 'is no bucket: create it, or correct its name' };
  if (WRONG_REGION.includes(code)) return { text: 'is in another region: correct the region' };
  if (code === 'NO_REGION') return { text: NO_REGION };
  if (WRONG_CLOCK.includes(code)) return { text: "refuses this machine's clock: synchronise it with NTP" };
  if (NO_CREDENTIALS.includes(code) || (isRefusal(error) && !NO_ACCESS.includes(code))) {
    return { text: WRONG_CREDENTIALS };
  }
  if (NO_ACCESS.includes(code)) return { text: `does not let the credentials ${doing}: grant them ${right}` };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { text: 'has a certificate for another name: correct the endpoint, or add path-style=on' };
  }
  if (NO_CERTIFICATE.test(code)) {
    return {
      text: 'has no TLS certificate that this machine accepts: correct the endpoint, or set NODE_EXTRA_CA_CERTS',
    };
  }
  if (code === 'ENOTFOUND') {
    return {
      text: 'has no address: correct the endpoint, add path-style=on, or wait until DNS is back',
      isTemporary: true,
    };
  }
  if (isNoAnswer(code, error)) {
    return {
      text: 'does not answer: correct the endpoint, or wait until the object storage is back',
      isTemporary: true,
    };
  }
  return { text: 'does not answer like S3: correct the endpoint' };
}

function isNoAnswer(code: string, error: unknown): boolean {
  return NO_ANSWER.test(code) || statusOf(error) >= 500;
}

/** Whether the object storage refuses the caller, whatever code it has for that. */
function isRefusal(error: unknown): boolean {
  return [401, 403].includes(statusOf(error));
}

function statusOf(error: unknown): number {
  const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode ?? 0;
}
