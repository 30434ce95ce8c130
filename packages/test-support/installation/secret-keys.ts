import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerProcess } from '../processes/server-process.ts';

/** Returns a server's secret keys, the newest first: those of its environment, or of the file that it made. */
export function secretKeysOf({ dataDir, env }: Pick<ServerProcess, 'dataDir' | 'env'>): Buffer[] {
  const ring = env.SECRET_KEYS ?? readFileSync(join(dataDir, 'secret-keys'), 'utf8');
  return ring
    .trim()
    .split(/[\s,]+/)
    .map((key) => Buffer.from(key, /^[\da-f]+$/i.test(key) ? 'hex' : 'base64'));
}
