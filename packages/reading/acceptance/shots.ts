import { type Crop, composed, type Frame, inPicture, type Pose } from './camera.ts';
import type { Glare, Shadow } from './light.ts';
import type { Cover, Exposure } from './photograph.ts';
import type { Random } from './random.ts';
import type { Sheet, Zone } from './sheet.ts';

/** Classes in which a zone is readable if its characters are wide enough. */
export const READABLE = [
  ...(['clean', 'tilt', 'perspective', 'blur', 'glare', 'noise'] as const),
  ...(['jpeg', 'shadow', 'clutter', 'mixed'] as const),
];
/** Classes in which a person cannot read the zone either. */
export const UNREADABLE = ['small', 'defocused', 'covered', 'dark', 'cut'] as const;
export type ShotClass = (typeof READABLE)[number] | (typeof UNREADABLE)[number];

/** The least width of a readable character, in pixels. */
const READABLE_PITCH = 18;
/** Readers shrink pictures to this: a character must be wide enough before and after. */
const LONGEST_SIDE = 2200;
const [LEAST_PIXELS, MOST_PIXELS] = [1e6, 12e6];

type Range = readonly [least: number, most: number];

/** What differs by class: blur in widths of a character, things that lie about, quality of the file, brightness, noise. */
const STROKES: Partial<Record<ShotClass, Range>> = {
  blur: [0.05, 0.085],
  defocused: [0.3, 0.5],
  small: [0.14, 0.2],
  mixed: [0.03, 0.055],
};
const THINGS: Partial<Record<ShotClass, Range>> = { clutter: [8, 16], mixed: [2, 7] };
const QUALITY: Partial<Record<ShotClass, Range>> = { jpeg: [30, 60], mixed: [40, 70], small: [25, 50] };
const GAIN: Partial<Record<ShotClass, Range>> = { dark: [0.03, 0.07] };
const NOISE: Partial<Record<ShotClass, Range>> = { noise: [11, 24], dark: [10, 16], mixed: [4, 11] };

export interface Shot {
  readonly frame: Frame;
  readonly exposure: Exposure;
  /** The width of the narrowest character, and the same with the longest side at most 2,200 pixels. */
  readonly pitch: number;
  readonly pitchShrunk: number;
}

function poseOf(random: Random, kind: ShotClass, turn: number): Pose {
  const isMixed = kind === 'mixed';
  const tilted = kind === 'tilt' || (isMixed && random.chance(0.7));
  const steep = kind === 'perspective' ? [8, 20] : isMixed ? [3, 10] : [0, 4];
  return {
    turn,
    tilt: tilted ? random.aside(3, 10) : random.between(-2, 2),
    yaw: random.aside(steep[0], steep[1]),
    nod: random.aside(steep[0], steep[1]),
    distance: random.between(1.6, 3.2),
    bend: random.chance(0.25) ? random.between(-0.9, 0.9) : 0,
  };
}

/** Tries frames until sizes fit: 1 to 12 megapixels, and readable characters before and after shrinking. */
function frameOf(random: Random, sheet: Sheet, pose: Pose, isSmall: boolean, crop?: Crop): Omit<Shot, 'exposure'> {
  for (let i = 0; i < 400; i += 1) {
    // More small than large ones, as phones and mails shrink pictures.
    const pitch = isSmall
      ? random.between(10, 12.5)
      : READABLE_PITCH * (45 / READABLE_PITCH) ** (random.next() * 0.999 + 0.001);
    const frame = composed(random, sheet, pose, pitch, Math.sqrt(random.between(0.14, 0.92)), crop);
    const pixels = frame.width * frame.height;
    const pitchShrunk = pitch * Math.min(1, LONGEST_SIDE / Math.max(frame.width, frame.height));
    const isSized = pixels <= MOST_PIXELS && (pixels >= LEAST_PIXELS || crop !== undefined || isSmall);
    if (isSized && (isSmall || pitchShrunk >= READABLE_PITCH)) return { frame, pitch, pitchShrunk };
  }
  throw new Error('No frame fits this sheet. Widen the limits of its sizes.');
}

/** A place in the zone, in pixels: reflections and shadows are most in the way there. */
function inZone(random: Random, frame: Frame, sheet: Sheet): [x: number, y: number] {
  const { zone } = sheet;
  if (!zone) return inPicture(frame, sheet.width * random.next(), sheet.height * random.next());
  const x = zone.left + random.between(0.1, 0.9) * zone.characters * zone.pitch;
  return inPicture(frame, x, random.pick(zone.baselines) - 1.2);
}

function sizeOf(frame: Frame): number {
  const [[x1, y1], [x2, y2]] = [frame.corners[0], frame.corners[1]];
  return Math.hypot(x2 - x1, y2 - y1);
}

/** Reflections: strong ones beside the zone, weaker ones on it. */
function glares(random: Random, frame: Frame, sheet: Sheet, most: number): Glare[] {
  const size = sizeOf(frame);
  const blob = (x: number, y: number, peak: number): Glare => ({
    x,
    y,
    along: size * random.between(0.08, 0.3),
    across: size * random.between(0.03, 0.12),
    angle: random.between(0, Math.PI),
    peak,
  });
  const x = sheet.width * random.between(0.05, 0.95);
  const beside = inPicture(frame, x, sheet.height * random.between(0, 0.45));
  const first = blob(...beside, random.between(0.7, 1));
  return [first, blob(...inZone(random, frame, sheet), random.between(0.35, most))];
}

/** The edge of a hand, a window frame or a phone: across the zone. */
function hardShadows(random: Random, frame: Frame, sheet: Sheet, strength: number): Shadow[] {
  const size = sizeOf(frame);
  const edgeAt = (x: number, y: number, angle: number) =>
    [Math.cos(angle), Math.sin(angle), x * Math.cos(angle) + y * Math.sin(angle)] as const;
  const [x, y] = inZone(random, frame, sheet);
  const angle = random.between(0, 2 * Math.PI);
  const first = edgeAt(x, y, angle);
  const band = size * random.between(0.1, 0.5);
  const second = random.pick([
    () => [],
    () => [edgeAt(x + Math.cos(angle) * band, y + Math.sin(angle) * band, angle + Math.PI)],
    () => [edgeAt(...inZone(random, frame, sheet), angle + random.aside(0.6, 1.6))],
  ])();
  return [{ edges: [first, ...second], strength, soft: random.between(1, 7) }];
}

/** Over a part of the sheet that is not the zone. */
function harmlessCovers(random: Random, sheet: Sheet): Cover[] {
  const free = (sheet.zone?.baselines[0] ?? sheet.height) - 8;
  const y = random.between(free * 0.1, free * 0.75);
  const isLeft = random.chance(0.5);
  const edge = isLeft ? -sheet.width * 0.3 : sheet.width * 1.3;
  const tip = isLeft ? random.between(3, 10) : sheet.width - random.between(3, 10);
  if (random.chance(0.5))
    return [{ kind: 'finger', from: [edge, y - 6], to: [tip, y], width: random.between(11, 15) }];
  const to = [sheet.width * random.between(0.3, 0.7), free * 0.3] as const;
  return [{ kind: 'pen', from: [edge, -15], to, width: random.between(5, 8) }];
}

/** A strip of paper or fingers over a third of each line. */
function zoneCovers(random: Random, sheet: Sheet, zone: Zone): Cover[] {
  const length = zone.characters * zone.pitch;
  const middle = zone.left + length * random.between(0.25, 0.75);
  const [top, bottom] = [(zone.baselines[0] ?? 0) - 5, sheet.height + 10];
  if (random.chance(0.5)) {
    const to = [middle + random.aside(0, 6), bottom] as const;
    return [{ kind: 'paper', from: [middle, top - 4], to, width: length * random.between(0.35, 0.5) }];
  }
  return [-1, 0, 1].map((i): Cover => {
    const [x, tip] = [middle + i * 13, top + random.between(0, 2)];
    const to = [middle + i * 13.5, tip] as const;
    return { kind: 'finger', from: [x + 4, bottom + 30], to, width: random.between(13, 15) };
  });
}

function half(random: Random, sheet: Sheet, zone: Zone): Crop {
  const middle = zone.left + zone.characters * zone.pitch * random.between(0.35, 0.65);
  const isLeft = random.chance(0.5);
  return {
    left: isLeft ? middle : -8,
    right: isLeft ? sheet.width + 8 : middle,
    top: Math.max(-6, (zone.baselines[0] ?? 0) - random.between(35, 60)),
    bottom: sheet.height + 6,
  };
}

/** How a picture of this class is taken. */
export function shotOf(
  random: Random,
  sheet: Sheet,
  kind: ShotClass,
  turn: number,
  crop?: Crop,
  covers: readonly Cover[] = [],
): Shot {
  const { zone } = sheet;
  const isMixed = kind === 'mixed';
  /** In the class itself, and in some of the mixed ones. */
  const has = (one: ShotClass, share: number) => kind === one || (isMixed && random.chance(share));
  const pose = poseOf(random, kind, turn);
  const edges = crop ?? (kind === 'cut' && zone ? half(random, sheet, zone) : undefined);
  const composition = frameOf(random, sheet, pose, kind === 'small', edges);
  const { frame, pitch } = composition;
  const strokes = (range: Range) => pitch * random.between(...range);
  const seldom = (value: () => number) => (random.chance(0.4) ? value() : 0);
  const isMoved = kind === 'blur' && random.chance(0.35);
  const range = isMoved ? ([0.02, 0.04] as const) : STROKES[kind];
  const blur = range ? strokes(range) : seldom(() => random.between(0.3, 0.8));
  const hasCover = has('clutter', 0.3);
  const things = THINGS[kind];
  const motion = isMoved ? strokes([0.08, 0.18]) : 0;
  const clutter = things ? random.integer(...things) : seldom(() => random.integer(1, 2));
  const lying = [
    ...covers,
    ...(hasCover ? harmlessCovers(random, sheet) : []),
    ...(kind === 'covered' && zone ? zoneCovers(random, sheet, zone) : []),
  ];
  const quality = random.integer(...(QUALITY[kind] ?? [78, 93]));
  const light = {
    gain: random.between(...(GAIN[kind] ?? [0.72, 1.08])),
    slope: random.between(0, 0.35),
    warmth: random.between(-0.1, 0.14),
    noise: random.between(...(NOISE[kind] ?? [1, 4])),
    glares: has('glare', 0.6) ? glares(random, frame, sheet, isMixed ? 0.5 : 0.72) : [],
    shadows: has('shadow', 0.7)
      ? hardShadows(random, frame, sheet, isMixed ? random.between(0.25, 0.5) : random.between(0.4, 0.65))
      : [],
  };
  return { ...composition, exposure: { bend: pose.bend, blur, motion, clutter, covers: lying, quality, light } };
}
