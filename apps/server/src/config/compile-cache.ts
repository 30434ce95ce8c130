import { statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createDirectory } from './data-directory.ts';

/**
 * Lets Node keep the compiled code of all modules that are loaded from now on, for the next start. Called by the installed
 * program before its first module.
 */
export function keepCompiledCode(environment: NodeJS.ProcessEnv): void {
  const folder = compileCacheFolder(environment);
  if (folder !== undefined) enableCompileCache(folder);
}

/**
 * Returns the folder where Node keeps compiled code for the next start: in the user's cache, created with access for its
 * owner only. It can be deleted at any time.
 * @returns undefined if Node's own settings decide, if there is no place for it, if the folder cannot be written, or if another user could write it:
 * Node runs what it finds there
 */
function compileCacheFolder(environment: NodeJS.ProcessEnv): string | undefined {
  if (environment.NODE_COMPILE_CACHE || environment.NODE_DISABLE_COMPILE_CACHE) return undefined;
  try {
    // A user without a home makes `homedir` fail, as in a container that gives the program a user id of its own.
    const folder = join(userCache(environment), 'countersign', 'compiled');
    createDirectory(folder);
    const { uid, mode } = statSync(folder);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOurs ? folder : undefined;
  } catch {
    return undefined;
  }
}

function userCache({ LOCALAPPDATA, XDG_CACHE_HOME }: NodeJS.ProcessEnv): string {
  switch (process.platform) {
    case 'win32':
      return LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
    case 'darwin':
      return join(homedir(), 'Library', 'Caches');
    default:
      return XDG_CACHE_HOME || join(homedir(), '.cache');
  }
}
