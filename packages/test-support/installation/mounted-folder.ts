import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEndOfFile } from '../processes/end-of-file.ts';

/** A file system of its own in memory. */
export interface MountedFolder {
  readonly path: string;
  /** Makes it read-only: writes fail with EROFS. No file in it may be open for writing. */
  makeReadOnly(): void;
  makeWritable(): void;
}

const mounted: string[] = [];

atEndOfFile(() => {
  for (const path of mounted.splice(0)) unmount(path);
});

/** Mounts a file system of some megabytes, unmounted after the tests of the file. Needs Linux and root. */
export function mountedFolder(megabytes: number): MountedFolder {
  const path = mkdtempSync(join(tmpdir(), 'countersign-mount-'));
  mount('-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', path);
  mounted.push(path);
  return {
    path,
    makeReadOnly: () => mount('-o', 'remount,ro', path),
    makeWritable: () => mount('-o', 'remount,rw', path),
  };
}

/** Returns why file systems cannot be mounted here; undefined if they can. */
export function whyNoMount(): string | undefined {
  try {
    const { path } = mountedFolder(1);
    mounted.splice(mounted.indexOf(path), 1);
    unmount(path);
    return undefined;
  } catch {
    return 'this machine does not let the tests mount a file system: run them as root';
  }
}

function mount(...args: string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' });
}

/** Lazily, because a process that is ending may still have a file open. */
function unmount(path: string): void {
  execFileSync('umount', ['--lazy', path], { stdio: 'pipe' });
  rmdirSync(path);
}
