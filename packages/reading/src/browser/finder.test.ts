import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { findLines } from '../lines/find-lines.ts';
import { createNetworks } from '../network/networks.ts';
import type { DescribedLayer } from '../network/weights.ts';
import type { GreyPicture } from '../picture.ts';

const BUNDLE = createRequire(import.meta.url).resolve('@countersign/reading/finder.js');
const { findZones } = (await import(pathToFileURL(BUNDLE).href)) as typeof import('./finder.ts');

const WEIGHTS = new URL('../../weights/', import.meta.url);
const PICTURES = new URL('../../test-support/pictures/', import.meta.url);
const SIDE = 288;

const manifest = JSON.parse(readFileSync(new URL('manifest.json', WEIGHTS), 'utf8')) as {
  readonly layers: readonly DescribedLayer[];
};
const networks = createNetworks(readFileSync(new URL('mrz.bin', WEIGHTS)), manifest.layers);

/** A picture as a page passes it on: 640 pixels long. */
async function live(picture: URL): Promise<GreyPicture> {
  const { data, info } = await sharp(readFileSync(picture))
    .resize({ width: 640, height: 640, fit: 'inside' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

describe('the finder for browsers', () => {
  const pictures = readdirSync(PICTURES).filter((name) => name.endsWith('.jpg'));

  test.each(pictures)('%s: finds the lines that the reader finds', async (name) => {
    const picture = await live(new URL(name, PICTURES));
    const found = findLines(picture, networks, SIDE).map((bundle) => bundle.length);
    expect(findZones(picture, SIDE).map((lines) => lines.length)).toEqual(found);
    expect(found.length > 0).toBe(!name.startsWith('nothing'));
  });

  test('says where lines begin and end, in pixels of the picture', async () => {
    const picture = await live(new URL('td1-tilt-0-7024.jpg', PICTURES));
    const [lines = []] = findZones(picture, SIDE);
    expect(lines).toHaveLength(3);
    for (const { from, to } of lines) {
      const [right, down] = [to[0] - from[0], to[1] - from[1]];
      expect(Math.hypot(right, down)).toBeGreaterThan(300);
      // The picture shows a card that is turned by 5 degrees.
      expect((Math.atan2(down, right) * 180) / Math.PI).toBeCloseTo(-5, -0.5);
    }
  });
});
