import { buildFinder } from '../../../scripts/finder-bundle.mjs';

/** Vitest calls this once before all tests: the pages serve the finder of packages/reading as one file. */
export async function setup(): Promise<void> {
  await buildFinder();
}
