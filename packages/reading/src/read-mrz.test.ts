// Reads six stored pictures, some of them changed, by the shipped weights (6 s alone, more under load): only whole pictures show that finder, strips and recogniser fit together.
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

/** The columns of a picture from `from` up to `to`. */
function cropped({ width, height, data }: GreyPicture, from: number, to: number): GreyPicture {
  const rows = Array.from({ length: height }, (_, y) => data.subarray(y * width + from, y * width + to));
  return { width: to - from, height, data: Uint8Array.from(rows.flatMap((row) => [...row])) };
}

/** Two pictures, one above the other. */
function above(upper: GreyPicture, lower: GreyPicture): GreyPicture {
  const width = Math.max(upper.width, lower.width);
  const data = new Uint8Array(width * (upper.height + lower.height)).fill(90);
  for (const [picture, top] of [
    [upper, 0],
    [lower, upper.height],
  ] as const) {
    for (let y = 0; y < picture.height; y += 1) {
      data.set(picture.data.subarray(y * picture.width, (y + 1) * picture.width), (top + y) * width);
    }
  }
  return { width, height: upper.height + lower.height, data };
}

/** The picture with a grey rectangle. */
function painted(
  { width, height, data }: GreyPicture,
  area: { x: number; y: number; width: number; height: number },
) {
  const copy = Uint8Array.from(data);
  for (let y = area.y; y < area.y + area.height; y += 1)
    copy.fill(150, y * width + area.x, y * width + area.x + area.width);
  return { width, height, data: copy };
}

/** The picture as a screen shows it: in cells of three columns, the gaps between which beat with the pixels of the camera. */
function onScreen({ width, height, data }: GreyPicture): GreyPicture {
  const beat = (at: number) => 0.5 + 0.5 * Math.cos((2 * Math.PI * at) / 3.1);
  return {
    width,
    height,
    data: data.map((value, at) => value * (0.6 + 0.4 * beat(at % width) * beat(Math.floor(at / width)))),
  };
}

const usual = { today: TODAY };

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
    expect(() => readMrz({ width: 8, height: 8, data: new Uint8Array(64) }, lacking, usual)).toThrow('f1');
  });
});

describe('readMrz', () => {
  test('each stored picture has its truth', () => {
    expect(readdirSync(PICTURES).filter((name) => name.endsWith('.jpg'))).toEqual(Object.keys(truths));
  });

  test.each(Object.entries(truths).filter(([, { lines }]) => lines.length > 0))(
    'reads %s',
    async (name, { lines }) => {
      const reading = readMrz(await load(name), networks, usual);
      expect(reading?.text).toEqual(lines);
      expect(reading?.isSound).toBe(true);
      expect(parseMrz(lines, TODAY)?.fields).toMatchObject({ ...reading?.values, ...reading?.names });
      expect(Object.keys(reading?.values ?? {})).toEqual(expect.arrayContaining(['birthDate', 'expiresOn']));
    },
  );

  test.each(Object.entries(truths).filter(([, { lines }]) => lines.length === 0))(
    'offers nothing from %s',
    async (name) => {
      const reading = readMrz(await load(name), networks, usual);
      expect(reading?.isSound ?? false).toBe(false);
      expect(reading?.values ?? {}).toEqual({});
    },
  );

  test.each([
    ['one pixel', 1, 1],
    ['a thread', 2000, 1],
    ['a flat square', 100, 100],
  ])('finds none in %s', (_, width, height) => {
    expect(readMrz({ width, height, data: new Uint8Array(width * height) }, networks, usual)).toBeUndefined();
  });

  // A line that lacks its first or last character may be read shifted by one, and its digits may fit.
  test.each([
    ['first', 0],
    ['last', 1],
  ])('offers nothing from a zone whose %s characters the edge cuts off', async (_, end) => {
    const picture = await load('td2-clean-180-7004.jpg');
    const zone = readMrz(picture, networks, usual);
    const [near, far] = [zone?.corners[end] ?? [0], zone?.corners[1 - end] ?? [0]];
    const edge = Math.round(near[0] + (far[0] - near[0]) / 36);
    const cut = near[0] < far[0] ? cropped(picture, edge, picture.width) : cropped(picture, 0, edge);
    expect(Object.keys(zone?.values ?? {})).toContain('documentNumber');
    expect(readMrz(cut, networks, usual)?.values ?? {}).toEqual({});
  });

  test('reads one of two documents in one picture, and mixes in nothing of the other', async () => {
    const [one, other] = [await load('td1-tilt-0-7024.jpg'), await load('td2-clean-180-7004.jpg')];
    const reading = readMrz(above(one, other), networks, usual);
    const texts = Object.values(truths).map(({ lines }) => lines);
    expect(texts).toContainEqual(reading?.text);
    expect(parseMrz(reading?.text ?? [], TODAY)?.fields).toMatchObject({ ...reading?.values, ...reading?.names });
  });

  test.each([
    ['a thumb', 0.7, 0.35],
    ['a strip of paper', 0, 1],
  ])('offers nothing from a zone of which %s covers a line', async (_, from, length) => {
    const picture = await load('td1-tilt-0-7024.jpg');
    const zone = readMrz(picture, networks, usual);
    expect(Object.keys(zone?.values ?? {})).toContain('documentNumber');
    const [, , lowerEnd = [0, 0], lowerStart = [0, 0]] = zone?.corners ?? [];
    const at = (share: number) => lowerStart.map((start, axis) => start + ((lowerEnd[axis] ?? 0) - start) * share);
    const [[x = 0, y = 0], [end = 0]] = [at(from), at(from + length)];
    const covered = painted(picture, {
      x: Math.round(x),
      y: Math.round(y) - 60,
      width: Math.round(end - x),
      height: 80,
    });
    expect(readMrz(covered, networks, usual)?.values ?? {}).toEqual({});
  });

  // Such a pattern can show U as 0 in two looks, and both fit the digit.
  test('offers nothing wrong from the photo of a screen', async () => {
    const name = 'td1-tilt-0-7024.jpg';
    const reading = readMrz(onScreen(await load(name)), networks, usual);
    expect(Object.keys(reading?.values ?? {})).toContain('birthDate');
    expect(parseMrz(truths[name]?.lines ?? [], TODAY)?.fields).toMatchObject(reading?.values ?? {});
  });

  test('begins no further look once its budget is spent', async () => {
    const picture = await load('td1-tilt-0-7024.jpg');
    const within = (budget: number) => {
      const before = networks.multiplications();
      const reading = readMrz(picture, networks, { ...usual, budget });
      return { text: reading?.text, values: reading?.values, work: networks.multiplications() - before };
    };
    const [none, one, all] = [within(0), within(200_000_000), within(Number.POSITIVE_INFINITY)];
    expect(none.text).toBeUndefined();
    expect(one).toMatchObject({ text: all.text, values: {} });
    expect(Object.keys(all.values ?? {})).toHaveLength(5);
    expect(one.work).toBeGreaterThan(none.work);
    expect(one.work).toBeLessThan(all.work);
  });
});
