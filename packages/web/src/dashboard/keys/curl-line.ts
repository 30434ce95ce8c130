import type { Permission } from '@countersign/domain';

/** A line for a shell that uses a key as it may be used. */
export interface CurlLine {
  readonly line: string;
  /** Whether it creates a verification, which counts toward the month. */
  readonly counts: boolean;
}

const BODY = JSON.stringify({ subjectType: 'kyc', subjectReference: 'first-try' });

/** @param publicBaseUrl where the service is reached; the API is below it */
export function curlLine(publicBaseUrl: string, key: string, permissions: readonly Permission[]): CurlLine {
  const mayRead = permissions.includes('*') || permissions.includes('verifications:read');
  const request = `curl -H ${quoted(`X-API-Key: ${key}`)} ${quoted(`${publicBaseUrl}/api/v1/verifications`)}`;
  if (mayRead) return { line: request, counts: false };
  return { line: `${request} -H ${quoted('Content-Type: application/json')} -d ${quoted(BODY)}`, counts: true };
}

/** For a POSIX shell: within single quotes nothing but a single quote means something. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
