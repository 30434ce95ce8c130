import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { ROOT, type Stage } from './dockerfile.ts';

/** A folder in which the steps of a stage are carried out: it stands for the root of the image. */
export interface ImageFolder {
  readonly path: string;
  /** Returns a path or a text with paths of the image as they are on this machine. */
  here(text: string): string;
}

/** The folders that the Dockerfile uses, below the root of the image. */
const FOLDERS = /(?<![\w./-])\/(?=(?:build|opt|data|evidence|erasures)(?:\/|\b))/g;

/** Makes an empty image with Node. Everything else of the base image is Debian's: this machine's programs stand for it. */
export function newImageFolder(): ImageFolder {
  const path = temporaryFolder(tmpdir());
  // The user of the image enters it.
  chmodSync(path, 0o755);
  mkdirSync(join(path, 'usr/local/bin'), { recursive: true });
  copyFileSync(process.execPath, join(path, 'usr/local/bin/node'));
  return { path, here: (text) => text.replaceAll(FOLDERS, `${path}/`) };
}

/**
 * Carries out the steps of a stage, with a clean environment.
 * @param from the folders of earlier stages, by name
 * @param skip steps that the test does in another way
 */
export function carryOut(
  { steps }: Stage,
  folder: ImageFolder,
  from: Readonly<Record<string, ImageFolder>>,
  skip: (text: string) => boolean = () => false,
): void {
  let workFolder = folder.path;
  for (const { keyword, text } of steps) {
    if (skip(text)) continue;
    if (keyword === 'WORKDIR') {
      workFolder = folder.here(text);
      mkdirSync(workFolder, { recursive: true });
    } else if (keyword === 'RUN') {
      execFileSync('/bin/sh', ['-c', folder.here(text)], {
        cwd: workFolder,
        env: buildEnvironment(folder),
        stdio: 'pipe',
      });
    } else if (keyword === 'COPY') {
      copy(text, workFolder, folder, from);
    }
  }
}

/** `COPY . .` takes what git keeps: .dockerignore leaves out the rest. */
function copy(
  text: string,
  workFolder: string,
  folder: ImageFolder,
  from: Readonly<Record<string, ImageFolder>>,
): void {
  const [, stage, source = '', target = ''] = /^(?:--from=(\w+) )?(\S+) (\S+)$/.exec(text) ?? [];
  if (stage !== undefined) {
    cpSync(from[stage]?.here(source) ?? '', folder.here(target), { recursive: true, verbatimSymlinks: true });
    return;
  }
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
  });
  for (const file of tracked.toString().split('\0').filter(Boolean)) {
    const to = join(workFolder, file);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(ROOT, file), to);
  }
}

/** The variables with which npm reaches its registry from this machine. */
const NETWORK = /^(?:npm_config_.*|(?:https?|no)_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i;

function buildEnvironment({ path }: ImageFolder): NodeJS.ProcessEnv {
  const { HOME, PATH } = process.env;
  const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
  return {
    ...Object.fromEntries(network),
    npm_config_prefer_offline: 'true',
    HOME,
    PATH: `${path}/usr/local/bin:${PATH}`,
  };
}

/** How the program of an image is started: as its user, and where possible with a root that cannot be written. */
export interface Start {
  readonly command: readonly string[];
  /** Whether the root is read-only. */
  readonly isReadOnly: boolean;
}

/**
 * Returns what comes before the program: a mount namespace in which everything but the volumes and /tmp is read-only.
 * @param volumes folders of this machine
 */
export function startAs(user: string, volumes: readonly string[]): Start {
  if (process.getuid?.() !== 0 || !canMount()) return { command: [], isReadOnly: false };
  const [uid = '', gid = uid] = user.split(':');
  const mounts = [
    ...volumes.map((volume) => `mount --bind '${volume}' '${volume}'`),
    'mount -o remount,bind,ro /',
    // The tests keep their folders there.
    ...['/tmp', '/dev/shm'].map(
      (place) => `if mountpoint -q ${place}; then mount -o remount,bind,ro ${place}; fi`,
    ),
  ];
  const script = `set -e; ${mounts.join('; ')}; exec setpriv --reuid ${uid} --regid ${gid} --clear-groups "$@"`;
  return { command: ['unshare', '--mount', '/bin/sh', '-c', script, 'sh'], isReadOnly: true };
}

function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '--bind', '/', '/'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Returns the image's environment as it is on this machine. */
export function environmentIn(folder: ImageFolder, env: Environment): Environment {
  const path = `${folder.here('/opt/countersign/bin')}:${folder.path}/usr/local/bin:/usr/bin:/bin`;
  return Object.fromEntries(
    Object.entries({ ...env, PATH: path }).map(([name, value]) => [
      name,
      name === 'PATH' ? value : folder.here(value),
    ]),
  );
}
