import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A folder in memory on Linux. Programs in it may not be executable. */
const MEMORY = '/dev/shm';
/** Free space that it needs: several times as much as the data of a whole test run. */
const ROOM = 2 * 1024 ** 3;

/**
 * Returns the folder for databases and evidence of tests: in memory if it has room, because writing small files to a disk
 * takes up to ten times as much CPU. Tests in full size have more data, and use the disk.
 */
export function dataPlace(): string {
  return process.env.LONG_TESTS !== 'on' && hasRoomInMemory() ? MEMORY : tmpdir();
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    // Only Linux has it.
    return false;
  }
}
