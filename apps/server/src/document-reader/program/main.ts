/**
 * Reads machine-readable zones in its own process, one picture after the other. It inherits no environment and knows no secret. The pictures
 * are those that the decoder drew, never an upload.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createNetworks, type DescribedLayer, readMrz, WEIGHTS_URL } from '@countersign/reading';
import { readingOf } from './reading-of.ts';
import { serve } from './serve.ts';

const { networks, readerVersion } = loadNetworks();
await serve({
  readerVersion,
  async read(picture) {
    const today = new Date().toISOString().slice(0, 10);
    const found = readMrz(picture, networks, { today });
    return readingOf(found, { ...picture, today, readerVersion });
  },
});

/** @throws Error if the weights are missing or damaged */
function loadNetworks(): { networks: ReturnType<typeof createNetworks>; readerVersion: string } {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', WEIGHTS_URL), 'utf8')) as {
    readonly sha256: string;
    readonly layers: readonly DescribedLayer[];
  };
  const weights = readFileSync(new URL('mrz.bin', WEIGHTS_URL));
  if (createHash('sha256').update(weights).digest('hex') !== manifest.sha256) {
    throw new Error('The weights of the reader are damaged.');
  }
  return {
    networks: createNetworks(weights, manifest.layers),
    readerVersion: `mrz-${manifest.sha256.slice(0, 12)}`,
  };
}
