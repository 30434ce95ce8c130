import { SqliteOpenError } from '../errors.ts';

const OLDEST = { major: 22, minor: 14 };

/**
 * The driver's native part loads with the first connection and takes an older Node down with a segmentation fault, so
 * this comes before it.
 * @throws SqliteOpenError `node_too_old`
 */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;
  const needed = `${OLDEST.major}.${OLDEST.minor}`;
  throw new SqliteOpenError(
    'node_too_old',
    `SQLite storage needs Node ${needed} or newer, this is Node ${version}`,
  );
}
