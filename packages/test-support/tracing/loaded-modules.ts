import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../processes/child-process.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';

/** Lists the modules that a process loads. */
export interface LoadedModules {
  /** For the environment of the process. */
  readonly env: Environment;
  /** Returns the paths of the loaded files. */
  files(): readonly string[];
}

export function noteLoadedModules(): LoadedModules {
  const list = join(temporaryFolder(), 'loaded-modules');
  const program = pathToFileURL(join(import.meta.dirname, 'note-loaded-modules.mjs')).href;
  return {
    env: { NODE_OPTIONS: `--import=${program}`, LOADED_MODULES: list },
    files() {
      const urls = new Set(readFileSync(list, 'utf8').split('\n'));
      return [...urls].filter((url) => url.startsWith('file:')).map((url) => new URL(url).pathname);
    },
  };
}
