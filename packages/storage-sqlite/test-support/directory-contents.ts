import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a directory holds, each file with a hash of its bytes. Not for a database that this process has open: closing
 * what is opened here would drop its locks.
 */
export function contentsOf(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { withFileTypes: true }).map((entry) => {
    const bytes = entry.isFile() ? readFileSync(join(directory, entry.name)) : Buffer.of();
    return [entry.name, createHash('sha256').update(bytes).digest('hex')];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}
