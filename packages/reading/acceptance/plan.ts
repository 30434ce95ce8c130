import type { Buffer } from 'node:buffer';
import { composed } from './camera.ts';
import { FAULTS, type Fault, faulty } from './collisions.ts';
import { documentSheet } from './document.ts';
import type { Lettering } from './lettering.ts';
import { licence } from './licences.ts';
import { OTHERS } from './others.ts';
import { holderOf } from './people.ts';
import { type Exposure, photographed } from './photograph.ts';
import { Random } from './random.ts';
import type { PictureRecord } from './record.ts';
import type { Sheet } from './sheet.ts';
import { READABLE, type Shot, type ShotClass, shotOf, UNREADABLE } from './shots.ts';
import { printedNames, valuesOf, zoneLines } from './zone.ts';

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

function truthOf(shot: Shot): { pitch: number; pitchShrunk: number } {
  return { pitch: Math.round(shot.pitch * 10) / 10, pitchShrunk: Math.round(shot.pitchShrunk * 10) / 10 };
}

async function documentPicture(
  random: Random,
  base: Pick<PictureRecord, 'id' | 'group' | 'kind' | 'turn' | 'isReadable'>,
  shotClass: ShotClass,
  font: NamedLettering,
) {
  const layout = random.pick(['TD3', 'TD3', 'TD3', 'TD3', 'TD1', 'TD1', 'TD1', 'TD2', 'MRV-A', 'MRV-B'] as const);
  const holder = holderOf(random, layout);
  const lines = zoneLines(layout, holder.entries);
  const sheet = documentSheet(random, holder, layout, lines, font.lettering);
  const shot = shotOf(random, sheet, shotClass, base.turn);
  const { width, height } = shot.frame;
  const zone = {
    layout,
    lines,
    values: valuesOf(holder.entries, THIS_YEAR),
    names: printedNames(lines, layout),
    ...truthOf(shot),
    font: font.name,
  };
  return {
    record: { ...base, width, height, zone },
    jpeg: await photographed(random, sheet, shot.frame, shot.exposure),
  };
}

async function collisionPicture(random: Random, id: string, fault: Fault, turn: number, font: NamedLettering) {
  const { sheet, layout, lines, allowed, crop, covers } = faulty(random, fault, font.lettering, THIS_YEAR);
  const shot = shotOf(
    random,
    sheet,
    random.pick(crop ? (['clean', 'jpeg', 'noise'] as const) : (['clean', 'tilt', 'jpeg', 'noise'] as const)),
    crop ? 0 : turn,
    crop,
    covers,
  );
  const { width, height } = shot.frame;
  const names = printedNames(lines, layout);
  const zone = { layout, lines, values: allowed, names, ...truthOf(shot), font: font.name };
  const record = {
    id,
    group: 'collision' as const,
    kind: fault,
    turn: crop ? 0 : turn,
    width,
    height,
    isReadable: false,
    zone,
  };
  return { record, jpeg: await photographed(random, sheet, shot.frame, shot.exposure) };
}

/** A sheet without a zone, photographed like a document. */
async function otherPicture(random: Random, id: string, kind: string, sheet: Sheet, turn: number) {
  // As if a character of 1/44 of its width were to be read.
  const imagined: Sheet = {
    ...sheet,
    zone: { left: 0, baselines: [sheet.height - 8], characters: 40, pitch: sheet.width / 44 },
  };
  const shot = shotOf(random, imagined, random.pick(READABLE), turn);
  const { width, height } = shot.frame;
  const record = { id, group: 'other' as const, kind, turn, width, height, isReadable: false };
  return { record, jpeg: await photographed(random, sheet, shot.frame, shot.exposure) };
}

async function licencePicture(random: Random, id: string, isSound: boolean, i: number) {
  const drawn = licence(random, isSound);
  const module = isSound ? [1.5, 2, 2.5, 3, 3.5, 4][i % 6] : random.between(2.5, 4);
  const tilt = i % 4 === 0 ? random.between(-2, 2) : random.aside(2, 20);
  const [blur, quality] = [i % 3 === 0 ? 0 : random.between(0.1, 0.4), random.integer(30, 90)];
  const pose = { turn: 0, tilt, yaw: random.between(-4, 4), nod: random.between(-4, 4), distance: 2.5, bend: 0 };
  // A module is at least so many pixels everywhere: slightly more in the middle.
  const frame = composed(random, drawn.sheet, pose, (module / drawn.module) * 1.03, random.between(0.6, 0.95));
  const exposure: Exposure = {
    light: {
      glares: [],
      shadows: [],
      gain: random.between(0.8, 1.05),
      slope: random.between(0, 0.3),
      warmth: 0,
      noise: random.between(0, 5),
    },
    bend: 0,
    clutter: random.integer(0, 3),
    covers: [],
    blur: blur * module,
    motion: 0,
    quality,
  };
  const { text, elements } = drawn;
  const barcode = {
    text,
    isSound,
    elements,
    module,
    tilt: Math.round(tilt * 10) / 10,
    blur: Math.round(blur * 100) / 100,
    quality,
  };
  const { width, height } = frame;
  const record = {
    id,
    group: 'licence' as const,
    kind: isSound ? 'sound' : 'unsound',
    turn: 0,
    width,
    height,
    isReadable: isSound,
    barcode,
  };
  return { record, jpeg: await photographed(random, drawn.sheet, frame, exposure) };
}

function times<T>(count: number, each: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => each(i));
}

/** All pictures of a set, in the order in which they are drawn. */
export function planned(seed: string, fonts: Fonts): Planned[] {
  const each = (
    count: number,
    name: string,
    draw: (random: Random, id: string, i: number) => ReturnType<Planned['draw']>,
  ) =>
    times(count, (i): Planned => {
      const id = `${name.replaceAll(' ', '-')}-${i}`;
      return { id, draw: () => draw(new Random(`${seed}/${id}`), id, i) };
    });
  const documents = (
    group: 'document' | 'foreign',
    kinds: readonly ShotClass[],
    count: number,
    isReadable: boolean,
  ) =>
    kinds.flatMap((kind) =>
      each(count, `${group}-${kind}`, (random, id, i) => {
        const font = random.pick(group === 'foreign' ? fonts.foreign : fonts.plain);
        return documentPicture(random, { id, group, kind, turn: turnOf(i), isReadable }, kind, font);
      }),
    );
  return [
    ...documents('document', READABLE, COUNTS.readable, true),
    ...documents('document', UNREADABLE, COUNTS.unreadable, false),
    ...(fonts.foreign.length > 0 ? documents('foreign', ['clean', 'jpeg'], COUNTS.foreign / 2, false) : []),
    ...FAULTS.flatMap((fault) =>
      each(FAULT_COUNTS[fault], `collision-${fault}`, (random, id, i) =>
        collisionPicture(random, id, fault, turnOf(i), random.pick(fonts.plain)),
      ),
    ),
    ...Object.entries(OTHERS).flatMap(([kind, drawn]) =>
      each(COUNTS.other, `other-${kind}`, (random, id, i) =>
        otherPicture(random, id, kind, drawn(random, random.pick(fonts.plain).lettering), turnOf(i)),
      ),
    ),
    ...each(COUNTS.licences + COUNTS.unsound, 'licence', (random, id, i) =>
      licencePicture(random, id, i < COUNTS.licences, i),
    ),
  ];
}
