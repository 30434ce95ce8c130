import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Lettering } from './lettering.ts';
import { type NamedLettering, planned } from './plan.ts';
import { type PictureRecord, RECORDS } from './record.ts';

/** Fonts of one width that are not like OCR-B, where Debian installs them. */
const FOREIGN = [
  '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf',
  '/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf',
  '/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf',
  '/usr/share/fonts/truetype/liberation/LiberationMono-Bold.ttf',
];

function named(path: string): NamedLettering {
  return { name: basename(path), lettering: new Lettering(path) };
}

export interface DrawOptions {
  readonly seed: string;
  readonly fonts: readonly string[];
  readonly folder: string;
  /** Draws only each of so many pictures. */
  readonly every: number;
  readonly say: (line: string) => void;
}

/** Draws a set into a folder. Returns its hash: the same fonts, seed and versions give the same. */
export async function drawSet({ seed, fonts, folder, every, say }: DrawOptions): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const foreign = FOREIGN.filter((path) => existsSync(path)).map(named);
  if (foreign.length === 0)
    say('No foreign fonts found. Install fonts-dejavu-core and fonts-liberation to draw them.');
  const all = planned(seed, { plain: fonts.map(named), foreign }).filter((_, i) => i % every === 0);
  const hash = createHash('sha256');
  const records: PictureRecord[] = [];
  const start = process.cpuUsage();
  for (const { id, draw } of all) {
    const { record, jpeg } = await draw();
    writeFileSync(join(folder, `${id}.jpg`), jpeg);
    hash.update(jpeg);
    records.push(record);
    if (records.length % 100 === 0) say(`${records.length} of ${all.length} pictures drawn`);
  }
  hash.update(JSON.stringify(records));
  const sha256 = hash.digest('hex');
  const fontHashes = fonts.map((path) => ({
    name: basename(path),
    sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
  }));
  writeFileSync(join(folder, RECORDS), JSON.stringify({ seed, fonts: fontHashes, sha256, records }, undefined, 1));
  const { user, system } = process.cpuUsage(start);
  say(
    `${records.length} pictures drawn in ${Math.round((user + system) / 1e6)} s of CPU. Seed ${seed}, set ${sha256}`,
  );
  return sha256;
}
