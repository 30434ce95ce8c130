import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from './child-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A server's clock that can be set and continues from there. */
export interface SettableClock {
  /** The environment variables for the server and its commands. */
  readonly env: Environment;
  set(instant: string): void;
  /** Returns the time that the server sees. */
  now(): Date;
}

export function createClock(instant: string): SettableClock {
  const file = join(temporaryFolder(), 'clock');
  const program = pathToFileURL(join(import.meta.dirname, 'settable-clock.mjs')).href;
  let aheadMs = 0;
  const set = (to: string) => {
    const [setTo, setAt] = [Date.parse(to), Date.now()];
    aheadMs = setTo - setAt;
    writeFileSync(file, `${setTo} ${setAt}`);
  };
  set(instant);
  return {
    env: { NODE_OPTIONS: `--import=${program}`, CLOCK_FILE: file },
    set,
    now: () => new Date(Date.now() + aheadMs),
  };
}
