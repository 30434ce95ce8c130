import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './dockerfile.ts';

interface Service {
  readonly image: string;
  readonly build?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly environment: Environment;
  readonly command?: readonly string[];
  readonly secrets: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}
/** compose.yaml of this repository. */
export const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
/** The services that run the image. */
export const SERVERS = ['server-1', 'server-2', 'migrate'] as const;

/** Runs the script of compose.yaml in a folder that the user of the image can enter. Returns the folder. */
export function makeSecrets(): string {
  const folder = join(temporaryFolder(tmpdir()), 'secrets');
  const script = join(ROOT, 'deploy/compose/make-secrets.sh');
  execFileSync('/bin/sh', [script, 'verify.example', folder], { stdio: 'pipe' });
  const before = readFileSync(join(folder, 'secret_keys'));
  // A second run replaces nothing.
  execFileSync('/bin/sh', [script, 'verify.example', folder], { stdio: 'pipe' });
  expect(readFileSync(join(folder, 'secret_keys'))).toEqual(before);
  execFileSync('chmod', ['0755', folder, join(folder, '..')]);
  return folder;
}
