import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Environment, run } from '@countersign/test-support/processes/child-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { buildServerPackage, PACKAGE } from '../../scripts/server-package.mjs';
import { VERSIONS_FOLDER } from './kept-installation.ts';

const SERVER = join(import.meta.dirname, '../../apps/server');

/** The content of `program.json.br`. */
interface KeptProgram {
  /** The path of the program that `serve` and the commands start with. */
  readonly main: string;
  /** Libraries that are not part of it: those of this version stand for them. */
  readonly libraries: readonly string[];
  /** Texts by their path. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Unpacks the server of a released version, bundled with its migrations and assets. It cannot read uploads.
 * @returns the path of the program
 */
export function unpackProgram(version: string): string {
  const folder = temporaryFolder();
  const { main, libraries, files } = JSON.parse(
    brotliDecompressSync(readFileSync(fileOf(version))).toString(),
  ) as KeptProgram;
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  for (const library of libraries) {
    symlinkSync(join(SERVER, 'node_modules', library), join(folder, 'node_modules', library));
  }
  return join(folder, main);
}

/** Runs commands of an earlier version, which must succeed. Each returns the value that `--json` prints. */
export function createCommands(program: string, env: Environment): <T>(...args: readonly string[]) => Promise<T> {
  return async <T>(...args: readonly string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(process.execPath, [program, ...args, '--json'], { env });
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${stderr}`);
    return JSON.parse(stdout) as T;
  };
}

/** Keeps the server of this version, as it is packed. What is not text, such as the program that reads PDFs, is left out. */
export async function keepProgram(version: string): Promise<void> {
  await buildServerPackage();
  const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    bin: { countersign: string };
    dependencies: Readonly<Record<string, string>>;
  };
  const libraries = Object.keys(manifest.dependencies);
  const files: Record<string, string> = {
    'package.json': JSON.stringify(manifest),
    // The folder in which the libraries are linked.
    'node_modules/package.json': '{}',
  };
  for (const path of ['bin', 'dist/bundle'].flatMap(filesIn)) {
    const bytes = readFileSync(join(PACKAGE, path));
    const text = bytes.toString();
    if (!path.endsWith('LICENSES.txt') && Buffer.from(text).equals(bytes)) files[path] = text;
  }
  const kept: KeptProgram = { main: manifest.bin.countersign, libraries, files };
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(fileOf(version), brotliCompressSync(JSON.stringify(kept), { params }));
}

const fileOf = (version: string): string => join(VERSIONS_FOLDER, version, 'program.json.br');

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(PACKAGE, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(PACKAGE.length + 1));
}
