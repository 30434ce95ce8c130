import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApiClient, dataOf } from '@countersign/test-support/api/api-client';
import type { StaffForms } from '@countersign/test-support/pages/staff-forms';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';

/** One folder for each version: `0.2.0/installation.json`, `migrations.json`, `sqlite/`, `postgres/`. */
export const VERSIONS_FOLDER: string = join(import.meta.dirname, 'versions');

/** The kinds of databases of which an installation is kept. */
export const KINDS = ['sqlite', 'postgres'] as const;
export type Kind = (typeof KINDS)[number];

/** The first version that has what a test expects otherwise of earlier ones. */
const SINCE = {
  testTwins: '0.3.0',
  erasure: '0.3.0',
  flowSettings: '0.4.0',
  expandedAccounts: '0.3.0',
  flowVersion2: '0.4.0',
  labels: '0.4.0',
} as const;

/** Whether a version has what some earlier ones lack. */
export function versionHas(version: string, what: keyof typeof SINCE): boolean {
  return version.localeCompare(SINCE[what], 'en', { numeric: true }) >= 0;
}

/** The folders of an installation beside its database. Version 0.2.0 had no erasure log. */
export const KEPT_FOLDERS = ['evidence', 'erasures'] as const;

export interface Account {
  readonly email: string;
  /** The secret of the second factor, in Base32; null without one. */
  readonly secret: string | null;
}

/** What a test must know of a kept installation to use it. */
export interface KeptInstallation {
  /** When it was stopped. Links and sessions are valid shortly after. */
  readonly stoppedAt: string;
  /** The environment variable that opens its encrypted data. */
  readonly secretKeys: string;
  readonly clientId: string;
  readonly key: string;
  readonly revokedKey: string;
  readonly reviewer: Account;
  readonly owner: Account;
  /** Verifications of different states. */
  readonly ids: {
    /** Created with the idempotency key of the same text as its reference. */
    readonly idempotent: string;
    readonly unfinished: string;
    readonly submitted: string;
  };
  /** Verifications in progress, one at each page of both flows. Versions before 0.3.0 did not keep any. */
  readonly inProgress?: readonly InProgress[];
  /** Number of entries of the audit log. */
  readonly auditLines: number;
  /** What the version itself answered. */
  readonly shown: Shown;
}

/** A verification whose subject has answered all pages before one. */
export interface InProgress {
  readonly id: string;
  readonly type: 'kyc' | 'kyb';
  /** The slug of the page that it waits at. */
  readonly page: string;
}

/** What clients and reviewers read of an installation. */
export interface Shown {
  /** The first page of the list, and all details in its order. */
  readonly list: readonly unknown[];
  readonly details: readonly unknown[];
  /** SHA-256 of each file as a reviewer receives it, by its id. */
  readonly files: Readonly<Record<string, string>>;
}

/** Reads everything that a client's program and a reviewer can read, whatever address the server has. */
export async function readAll(server: ServerProcess, key: string, reviewer: StaffForms): Promise<Shown> {
  const api = createApiClient(server.baseUrl, key);
  const list = dataOf(await api.get('/verifications?limit=100')).verifications as { readonly id: string }[];
  const details: Record<string, unknown>[] = [];
  const files: Record<string, string> = {};
  for (const { id } of list) {
    const each = dataOf(await api.get(`/verifications/${id}/details`));
    details.push(each);
    for (const document of each.documents as { readonly id: string }[]) {
      const response = await reviewer.get(`/review/${id}/files/${document.id}`);
      if (response.status !== 200) throw new Error(`the file ${document.id} was answered with ${response.status}`);
      files[document.id] = await sha256Of(response);
    }
  }
  return withoutOrigin({ list, details, files }, server);
}

export function readKept(version: string, kind: Kind): KeptInstallation {
  return JSON.parse(readFileSync(join(VERSIONS_FOLDER, version, kind, 'installation.json'), 'utf8'));
}

/** Returns the versions of which installations are kept. */
export function keptVersions(): string[] {
  return readdirSync(VERSIONS_FOLDER);
}

async function sha256Of(response: Response): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer());
  return Buffer.from(digest).toString('hex');
}

function withoutOrigin(shown: Shown, { env, port }: ServerProcess): Shown {
  const origin = env.PUBLIC_BASE_URL ?? `http://localhost:${port}`;
  return JSON.parse(JSON.stringify(shown).replaceAll(origin, ''));
}
