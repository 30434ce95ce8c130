import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { VERSIONS_FOLDER } from './kept-installation.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Libraries with a binary, which a kept program lacks, and the packages of this version that depend on them. */
const NATIVE = { 'better-sqlite3': 'storage-sqlite', sharp: 'evidence' } as const;

/**
 * Unpacks the server of an earlier version, bundled with its migrations and assets: `program.json.br`, files by their path.
 * It uses this version's native libraries and cannot read uploads.
 * @returns the path of the program that `serve` and the commands start with
 */
export function unpackProgram(version: string): string {
  const folder = temporaryFolder();
  const packed = readFileSync(join(VERSIONS_FOLDER, version, 'program.json.br'));
  const files = JSON.parse(brotliDecompressSync(packed).toString()) as Record<string, string>;
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const [library, user] of Object.entries(NATIVE)) {
    const installed = join(ROOT, 'packages', user, 'node_modules', library);
    symlinkSync(installed, join(folder, 'node_modules', library));
  }
  return join(folder, 'main.js');
}
