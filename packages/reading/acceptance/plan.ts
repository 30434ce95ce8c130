import type { Buffer } from 'node:buffer';
import { composed } from './camera.ts';
import { type Fault, faulty } from './collisions.ts';
import { documentSheet } from './document.ts';
import type { Lettering } from './lettering.ts';
import { licence } from './licences.ts';
import { OTHERS } from './others.ts';
import { holderOf } from './people.ts';
import { photographed } from './photograph.ts';
import { Random } from './random.ts';
import type { PictureRecord, ZoneTruth } from './record.ts';
import type { Sheet } from './sheet.ts';
import { READABLE, type Shot, type ShotClass, shotOf, UNREADABLE } from './shots.ts';
import { type Layout, printedNames, type Values, valuesOf, zoneLines } from './zone.ts';

/** Two digits: no holder is born after it. The evaluation reads with a day of this year. */
const THIS_YEAR = 26;

/** How many pictures of each kind a set has. */
const COUNTS = {
  readable: 74,
  unreadable: 20,
  foreign: 24,
  other: 10,
  licences: 120,
  unsound: 12,
} as const;

const FAULT_COUNTS: Readonly<Record<Fault, number>> = {
  'letter for digit': 14,
  'worn character': 10,
  'one character more': 16,
  'cut character': 10,
  'covered characters': 10,
};

export interface NamedLettering {
  readonly name: string;
  readonly lettering: Lettering;
}

/** Fonts like OCR-B, and others of one width that are not. */
export interface Fonts {
  readonly plain: readonly NamedLettering[];
  readonly foreign: readonly NamedLettering[];
}

/** A picture that can be drawn, alone and again: the same seed draws the same. */
export interface Planned {
  readonly id: string;
  readonly draw: () => Promise<{ record: PictureRecord; jpeg: Buffer }>;
}

/** Half of the pictures stand upright. */
function turnOf(i: number): number {
  return i % 2 === 0 ? 0 : [90, 180, 270][((i - 1) / 2) % 3];
}

type Draw = (random: Random, id: string, i: number) => ReturnType<Planned['draw']>;

/** Photographs a sheet, and records what is known: first `about`, then the size, then `truth`. */
async function taken(
  random: Random,
  sheet: Sheet,
  { frame, exposure }: Pick<Shot, 'frame' | 'exposure'>,
  about: Partial<PictureRecord>,
  truth: Partial<PictureRecord>,
) {
  const { width, height } = frame;
  const record = { ...about, width, height, ...truth } as PictureRecord;
  return { record, jpeg: await photographed(random, sheet, frame, exposure) };
}

function zoneTruth(
  layout: Layout,
  lines: readonly string[],
  values: Values,
  { pitch, pitchShrunk }: Shot,
  font: string,
): ZoneTruth {
  const rounded = (pixels: number) => Math.round(pixels * 10) / 10;
  const names = printedNames(lines, layout);
  return { layout, lines, values, names, pitch: rounded(pitch), pitchShrunk: rounded(pitchShrunk), font };
}

function documentPicture(group: 'document' | 'foreign', kind: ShotClass, fonts: Fonts, isReadable: boolean): Draw {
  return (random, id, i) => {
    const { name, lettering } = random.pick(group === 'foreign' ? fonts.foreign : fonts.plain);
    const turn = turnOf(i);
    const layout = random.pick([
      'TD3',
      'TD3',
      'TD3',
      'TD3',
      'TD1',
      'TD1',
      'TD1',
      'TD2',
      'MRV-A',
      'MRV-B',
    ] as const);
    const holder = holderOf(random, layout);
    const lines = zoneLines(layout, holder.entries);
    const sheet = documentSheet(random, holder, layout, lines, lettering);
    const shot = shotOf(random, sheet, kind, turn);
    const zone = zoneTruth(layout, lines, valuesOf(holder.entries, THIS_YEAR), shot, name);
    return taken(random, sheet, shot, { id, group, kind, turn, isReadable }, { zone });
  };
}

function collisionPicture(fault: Fault, fonts: Fonts): Draw {
  return (random, id, i) => {
    const { name, lettering } = random.pick(fonts.plain);
    const { sheet, layout, lines, allowed, crop, covers } = faulty(random, fault, lettering, THIS_YEAR);
    const kind = random.pick<ShotClass>(crop ? ['clean', 'jpeg', 'noise'] : ['clean', 'tilt', 'jpeg', 'noise']);
    const turn = crop ? 0 : turnOf(i);
    const shot = shotOf(random, sheet, kind, turn, crop, covers);
    const zone = zoneTruth(layout, lines, allowed, shot, name);
    return taken(random, sheet, shot, { id, group: 'collision', kind: fault, turn }, { isReadable: false, zone });
  };
}

/** A sheet without a zone, photographed like a document. */
function otherPicture(kind: string, drawn: (typeof OTHERS)[string], fonts: Fonts): Draw {
  return (random, id, i) => {
    const sheet = drawn(random, random.pick(fonts.plain).lettering);
    const turn = turnOf(i);
    // As if a character of 1/44 of its width were to be read.
    const zone = { left: 0, baselines: [sheet.height - 8], characters: 40, pitch: sheet.width / 44 };
    const shot = shotOf(random, { ...sheet, zone }, random.pick(READABLE), turn);
    return taken(random, sheet, shot, { id, group: 'other', kind, turn }, { isReadable: false });
  };
}

function licencePicture(random: Random, id: string, i: number): ReturnType<Draw> {
  const isSound = i < COUNTS.licences;
  const { sheet, text, elements, module: millimetres } = licence(random, isSound);
  const module = isSound ? [1.5, 2, 2.5, 3, 3.5, 4][i % 6] : random.between(2.5, 4);
  const tilt = i % 4 === 0 ? random.between(-2, 2) : random.aside(2, 20);
  const [blur, quality] = [i % 3 === 0 ? 0 : random.between(0.1, 0.4), random.integer(30, 90)];
  const pose = { turn: 0, tilt, yaw: random.between(-4, 4), nod: random.between(-4, 4), distance: 2.5, bend: 0 };
  // A module is at least so many pixels everywhere: slightly more in the middle.
  const frame = composed(random, sheet, pose, (module / millimetres) * 1.03, random.between(0.6, 0.95));
  const light = {
    glares: [],
    shadows: [],
    gain: random.between(0.8, 1.05),
    slope: random.between(0, 0.3),
    warmth: 0,
    noise: random.between(0, 5),
  };
  const clutter = random.integer(0, 3);
  const exposure = { light, bend: 0, clutter, covers: [], blur: blur * module, motion: 0, quality };
  const rounded = { tilt: Math.round(tilt * 10) / 10, blur: Math.round(blur * 100) / 100 };
  const barcode = { text, isSound, elements, module, ...rounded, quality };
  const about = { id, group: 'licence' as const, kind: isSound ? 'sound' : 'unsound', turn: 0 };
  return taken(random, sheet, { frame, exposure }, about, { isReadable: isSound, barcode });
}

/** All pictures of a set, in the order in which they are drawn. */
export function planned(seed: string, fonts: Fonts): Planned[] {
  const each = (count: number, name: string, draw: Draw) =>
    Array.from({ length: count }, (_, i): Planned => {
      const id = `${name.replaceAll(' ', '-')}-${i}`;
      return { id, draw: () => draw(new Random(`${seed}/${id}`), id, i) };
    });
  const documents = (
    group: 'document' | 'foreign',
    kinds: readonly ShotClass[],
    count: number,
    isReadable: boolean,
  ) => kinds.flatMap((kind) => each(count, `${group}-${kind}`, documentPicture(group, kind, fonts, isReadable)));
  return [
    ...documents('document', READABLE, COUNTS.readable, true),
    ...documents('document', UNREADABLE, COUNTS.unreadable, false),
    ...(fonts.foreign.length > 0 ? documents('foreign', ['clean', 'jpeg'], COUNTS.foreign / 2, false) : []),
    ...(Object.entries(FAULT_COUNTS) as [Fault, number][]).flatMap(([fault, count]) =>
      each(count, `collision-${fault}`, collisionPicture(fault, fonts)),
    ),
    ...Object.entries(OTHERS).flatMap(([kind, drawn]) =>
      each(COUNTS.other, `other-${kind}`, otherPicture(kind, drawn, fonts)),
    ),
    ...each(COUNTS.licences + COUNTS.unsound, 'licence', licencePicture),
  ];
}
