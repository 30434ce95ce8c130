// Reads nine stored pictures by the shipped weights: only whole pictures show that finder, strips and recogniser fit together.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { parseMrz } from './mrz/parse.ts';
import { createNetworks } from './network/networks.ts';
import type { DescribedLayer } from './network/weights.ts';
import type { GreyPicture } from './picture.ts';
import { readMrz } from './read-mrz.ts';

const WEIGHTS = new URL('../weights/', import.meta.url);
const PICTURES = new URL('../test-support/pictures/', import.meta.url);
const TODAY = '2026-06-01';

interface Manifest {
  readonly sha256: string;
  readonly bytes: number;
  readonly layers: readonly DescribedLayer[];
}

interface Truth {
  readonly lines: readonly string[];
}

const manifest: Manifest = JSON.parse(readFileSync(new URL('manifest.json', WEIGHTS), 'utf8'));
const content = readFileSync(new URL('mrz.bin', WEIGHTS));
const networks = createNetworks(content, manifest.layers);
const truths: Record<string, Truth> = JSON.parse(readFileSync(new URL('truth.json', PICTURES), 'utf8'));

async function load(name: string): Promise<GreyPicture> {
  const { data, info } = await sharp(readFileSync(new URL(name, PICTURES)))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** A clock by which each look takes a second. */
function ticking(): () => number {
  let time = 0;
  return () => {
    time += 1000;
    return time;
  };
}

const calm = { now: () => 0, budget: 1, today: TODAY };

describe('the weights', () => {
  test('the weights are those of the manifest and small', () => {
    expect(createHash('sha256').update(content).digest('hex')).toBe(manifest.sha256);
    expect(content.length).toBe(manifest.bytes);
    expect(content.length).toBeLessThanOrEqual(150_000);
  });

  test('weights that lack a layer are refused by its name', () => {
    const lacking = createNetworks(
      content,
      manifest.layers.filter(({ name }) => name !== 'f1'),
    );
    expect(() => readMrz({ width: 8, height: 8, data: new Uint8Array(64) }, lacking, calm)).toThrow('f1');
  });
});

describe('readMrz', () => {
  test('each stored picture has its truth', () => {
    expect(readdirSync(PICTURES).filter((name) => name.endsWith('.jpg'))).toEqual(Object.keys(truths));
  });

  test.each(Object.entries(truths).filter(([, { lines }]) => lines.length > 0))(
    'reads %s',
    async (name, { lines }) => {
      const reading = readMrz(await load(name), networks, calm);
      expect(reading?.text).toEqual(lines);
      expect(reading?.isSound).toBe(true);
      expect(parseMrz(lines, TODAY)?.fields).toMatchObject({ ...reading?.values, ...reading?.names });
      expect(Object.keys(reading?.values ?? {})).toEqual(expect.arrayContaining(['birthDate', 'expiresOn']));
    },
  );

  test.each(Object.entries(truths).filter(([, { lines }]) => lines.length === 0))(
    'offers nothing from %s',
    async (name) => {
      const reading = readMrz(await load(name), networks, calm);
      expect(reading?.isSound ?? false).toBe(false);
      expect(reading?.values ?? {}).toEqual({});
    },
  );

  test.each([
    ['one pixel', 1, 1],
    ['a thread', 2000, 1],
    ['a flat square', 300, 300],
  ])('finds none in %s', (_, width, height) => {
    expect(readMrz({ width, height, data: new Uint8Array(width * height) }, networks, calm)).toBeUndefined();
  });

  test('stops when its time is up', async () => {
    const [name = ''] = Object.keys(truths);
    expect(readMrz(await load(name), networks, { ...calm, now: ticking(), budget: 500 })).toBeUndefined();
  });
});
