import { join } from 'node:path';
import type { S3Place } from '@countersign/evidence-s3';
import { SettingError } from './errors.ts';
import { directoryOf } from './file-urls.ts';
import { isPublicHost } from './public-host.ts';

/** Where files of verifications are. */
export type EvidenceSettings =
  | {
      readonly kind: 'folder';
      /** An absolute path. */
      readonly directory: string;
    }
  | ({ readonly kind: 's3' } & S3Place);

const EXAMPLE = 'file:/srv/countersign/evidence';
const EXPECTED_BUCKET = 'expected s3://bucket/prefix?region=eu-central-1';

/** The parameters of an s3: URL. */
const PARAMETERS = ['region', 'endpoint', 'path-style'];

/**
 * Parses EVIDENCE_URL, or an option of that form.
 * @param apartFrom folders by their variables that must not be in the folder
 * @throws SettingError
 */
export function evidenceSettings(
  variable: string,
  url: string,
  apartFrom: Readonly<Record<string, string>> = {},
): EvidenceSettings {
  if (/^s3:/i.test(url)) return { kind: 's3', ...bucketOf(variable, url) };
  if (!url.startsWith('file:')) {
    throw new SettingError(
      variable,
      `is neither a file: nor an s3: URL: expected file: and a directory, such as ${EXAMPLE}, or s3://bucket/prefix`,
    );
  }
  return { kind: 'folder', directory: directoryOf(variable, url, { example: EXAMPLE, apartFrom }) };
}

/** Returns the evidence of an installation without EVIDENCE_URL. */
export function defaultEvidence(dataDir: string): EvidenceSettings {
  return { kind: 'folder', directory: join(dataDir, 'evidence') };
}

/** Returns the folder of the evidence; undefined for a bucket. */
export function folderOf(evidence: EvidenceSettings): string | undefined {
  return evidence.kind === 'folder' ? evidence.directory : undefined;
}

function bucketOf(variable: string, text: string): S3Place {
  const refuse = (problem: string): never => {
    throw new SettingError(variable, `${problem}: ${EXPECTED_BUCKET}`);
  };
  if (!/^s3:\/\/[^/?#]/.test(text) || !URL.canParse(text)) return refuse('is not a valid s3: URL');
  const { hostname, port, username, password, pathname, searchParams, hash } = new URL(text);
  // Settings are printed and logged in many places.
  if (username !== '' || password !== '') {
    return refuse(
      'has credentials: leave them to the SDK, such as in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    );
  }
  if (port !== '' || hash !== '') return refuse('has a port or a #');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname)) return refuse('has no valid name of a bucket');
  const prefix = pathname.replace(/^\/|\/$/g, '');
  // A parsed URL has no `..` any more: it would name another prefix.
  const [, written] = /^s3:\/\/[^/?#]+([^?#]*)/.exec(text) ?? [];
  if (written !== pathname || !/^(?:[\w.-]+(?:\/[\w.-]+)*)?$/.test(prefix)) {
    return refuse('has a prefix with other characters than letters, digits, - _ . and /');
  }
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) return refuse(`has a parameter other than ${PARAMETERS.join(', ')}`);
  const repeated = PARAMETERS.find((name) => searchParams.getAll(name).length > 1);
  if (repeated !== undefined) return refuse(`has ${repeated} more than once`);
  const region = searchParams.get('region') ?? undefined;
  if (region !== undefined && !/^[a-z0-9-]{1,64}$/.test(region)) return refuse('has a region that is no name');
  return {
    bucket: hostname,
    prefix,
    region,
    endpoint: endpointOf(searchParams.get('endpoint'), refuse),
    pathStyle: pathStyleOf(searchParams.get('path-style'), refuse),
  };
}

function endpointOf(text: string | null, refuse: (problem: string) => never): string | undefined {
  if (text === null) return undefined;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    return refuse('has an endpoint that is no http: or https: URL');
  const { protocol, hostname, username, password, pathname, search, hash } = new URL(text);
  if (username !== '' || password !== '') return refuse('has credentials in its endpoint');
  if (pathname !== '/' || search !== '' || hash !== '') return refuse('has an endpoint with a path or parameters');
  if (protocol === 'http:' && isPublicHost(hostname))
    return refuse('has an endpoint of a public host without TLS');
  return text.replace(/\/$/, '');
}

function pathStyleOf(text: string | null, refuse: (problem: string) => never): boolean {
  if (text === null || text === 'off') return false;
  return text === 'on' || refuse('has a path-style that is neither on nor off');
}
