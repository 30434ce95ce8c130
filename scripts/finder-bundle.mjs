// The finder of packages/reading as browsers load it: one file with its weights. Packages publish it in `dist`, and
// packages/web serves it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.mjs';

const reading = join(root, 'packages', 'reading');
const dist = join(reading, 'dist');
const output = join(dist, 'finder.js');
const sources = join(reading, 'src');
const entry = join(sources, 'browser', 'finder.ts');

/** @typedef {{ name: string, shape: [number, number, number, number], offset: number }} Layer */

/**
 * Writes `packages/reading/dist/finder.js`, unless it was built from the same sources and weights.
 * @throws what esbuild throws: it has printed the errors
 */
export async function buildFinder() {
  const manifest = readFileSync(join(reading, 'weights', 'manifest.json'), 'utf8');
  const weights = readFileSync(join(reading, 'weights', 'mrz.bin'));
  const state = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(manifest)
    .update(weights);
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' }).sort())
    if (file.endsWith('.ts')) state.update(readFileSync(join(sources, file)));
  const head = `/* ${state.digest('hex')} */`;
  if (existsSync(output) && readFileSync(output, 'utf8').startsWith(head)) return;

  const esbuild = await import('esbuild');
  const described = /** @type {{ layers: Layer[] }} */ (JSON.parse(manifest));
  const { content, layers } = finderOf(weights, described.layers);
  mkdirSync(dist, { recursive: true });
  // Renamed once it is complete, because several test runs may build it at the same time.
  const partial = mkdtempSync(join(dist, 'finder-'));
  try {
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: join(partial, 'finder.js'),
      bundle: true,
      format: 'esm',
      platform: 'browser',
      target: ['chrome108', 'firefox114', 'safari16'],
      minify: true,
      // No comment in the file names the map, because browsers cannot load it.
      sourcemap: 'external',
      banner: { js: head },
      define: {
        FINDER_CONTENT: JSON.stringify(content.toString('base64')),
        FINDER_LAYERS: JSON.stringify(layers),
      },
      logLevel: 'warning',
    });
    for (const file of ['finder.js.map', 'finder.js']) renameSync(join(partial, file), join(dist, file));
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * Returns the layers of the finder, whose names begin with `f`. Those of the recogniser, two thirds of the file, are left out.
 * @param {Buffer} weights
 * @param {Layer[]} all
 */
function finderOf(weights, all) {
  const layers = [];
  const contents = [];
  let offset = 0;
  for (const layer of all.filter(({ name }) => name.startsWith('f'))) {
    const next = Math.min(weights.length, ...all.map((other) => other.offset).filter((at) => at > layer.offset));
    contents.push(weights.subarray(layer.offset, next));
    layers.push({ ...layer, offset });
    offset += next - layer.offset;
  }
  return { content: Buffer.concat(contents), layers };
}
