import { type Alphabet, alphabetsOf, FORMATS, type Format } from '../mrz/formats.ts';
import { type ParsedMrz, parseMrz } from '../mrz/parse.ts';
import type { Networks } from '../network/networks.ts';
import type { GreyPicture } from '../picture.ts';
import { contrastOf } from './contrast.ts';
import { type Course, pointAt, reversed } from './course.ts';
import type { Bundle } from './find-lines.ts';
import { likelihoods, type ReadLine, readPlaces } from './recognise.ts';
import { straighten } from './straighten.ts';
import { cutStrip, STRIP_PITCH } from './strips.ts';

/** A zone as one look at it shows. */
export interface Reading {
  readonly lines: readonly ReadLine[];
  readonly parsed: ParsedMrz | undefined;
  /** Mean score of a character. */
  readonly score: number;
  /** Which look of LOOKS it was. */
  readonly look: number;
  /** Whether every line lies within the picture, with what stands beside its first and last character. */
  readonly isWhole: boolean;
  /** From one character to the next where they are nearest, in pixels of the picture. */
  readonly pitch: number;
  /** How far ink stands out from paper, in tones of 256. */
  readonly contrast: number;
  /** Corners around the zone in pixels of the picture, from the first character of the first line on. */
  readonly corners: readonly (readonly [x: number, y: number])[];
}

/** How strips are cut: their scale against the usual one, rows below the course, and characters before the start. */
interface Look {
  readonly scale: number;
  readonly shift: number;
  readonly lead: number;
}

/** The looks in the order in which they are tried. Any two differ in scale and in shift. */
const LOOKS: readonly Look[] = [
  { scale: 1, shift: 0, lead: 2.6 },
  { scale: 0.93, shift: 0.9, lead: 3.1 },
  { scale: 1.07, shift: -0.9, lead: 2.3 },
  { scale: 1.03, shift: 2, lead: 2.8 },
  { scale: 0.97, shift: -2, lead: 3.3 },
  { scale: 1.12, shift: 0.5, lead: 2.5 },
  { scale: 0.9, shift: -0.5, lead: 2.9 },
];

/** The scores of a character below which a zone reads poorly, as with a line too few, and hopelessly. */
const [POOR, HOPELESS] = [-0.6, -1.6];

/** Characters beside a zone that must be in the picture too: one that stands there could be cut in two by its edge. */
const BLANK = 0.8;

/** Where a line's characters stand along its course: the middle of the first one and the distance to the next. */
interface Places {
  readonly first: number;
  readonly pitch: number;
}

export interface Line {
  readonly course: Course;
  readonly places: Places;
}

function placesOf(course: Course, length: number): Places {
  const pitch = (course.to - course.from) / length;
  return { first: course.from + pitch / 2, pitch };
}

interface Seen {
  readonly logs: Float64Array;
  readonly from: number;
  readonly scale: number;
}

function look(
  picture: GreyPicture,
  networks: Networks,
  { course, places }: Line,
  length: number,
  { scale, shift, lead }: Look,
): Seen {
  const perColumn = (places.pitch / STRIP_PITCH) * scale;
  const from = places.first - lead * places.pitch;
  const columns = 2 * Math.round(((length - 1 + 2 * lead) * places.pitch) / perColumn / 2);
  const strip = cutStrip(picture, course, { from, columns, scale: perColumn, shift });
  return { logs: likelihoods(networks.recognise(strip)), from, scale: perColumn };
}

/** The straight through the places of characters that were read. */
function refined(read: ReadLine, seen: Seen): Places {
  const count = read.frames.length;
  const middle = (count - 1) / 2;
  const us = read.frames.map((frame) => seen.from + (2 * frame + 1) * seen.scale);
  const mean = us.reduce((sum, u) => sum + u, 0) / count;
  const slope =
    us.reduce((sum, u, index) => sum + (index - middle) * (u - mean), 0) /
    us.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return { first: mean - middle * slope, pitch: slope };
}

/** Characters of a line that show which way it runs, and how much better one way must read than the other. */
const [SOME, CLEAR] = [14, 0.8];
const ANY: readonly Alphabet[] = Array.from({ length: SOME }, () => 'any');

/** A part of a line shows no text if the score of its characters is below this in both directions. */
const SENSELESS = -1.8;

/** The bundle in the direction in which its text runs; none where there is no text. */
function upright(picture: GreyPicture, networks: Networks, bundle: Bundle): Bundle | undefined {
  const turned = bundle.map(reversed).reverse();
  const guess = bundle.length === 3 ? 30 : 40;
  const scoreOf = (lines: Bundle, start: number) => {
    const course = lines.at(-1) as Course;
    const { first, pitch } = placesOf(course, guess);
    const places = { first: first + start * pitch, pitch };
    const { logs } = look(picture, networks, { course, places }, SOME, { ...LOOKS[0], lead: 1.5 });
    return readPlaces(logs, ANY, true)?.score ?? -99;
  };
  let lead = 0;
  let most = SENSELESS;
  // The last line starts with characters other than fillers.
  for (const start of [2, guess - SOME - 2]) {
    const [one, other] = [scoreOf(bundle, start), scoreOf(turned, start)];
    lead += one - other;
    most = Math.max(most, one, other);
    if (Math.abs(lead) > CLEAR) break;
  }
  if (most === SENSELESS) return undefined;
  return lead >= 0 ? bundle : turned;
}

function isWithin(picture: GreyPicture, [x, y]: readonly [number, number]): boolean {
  return x >= 0 && y >= 0 && x <= picture.width && y <= picture.height;
}

/** The corners around a zone. @param margin characters before the first place and behind the last */
function around(lines: readonly Line[], length: number, margin = 0): (readonly [number, number])[] {
  const [top, bottom] = [lines[0], lines.at(-1) as Line];
  const at = ({ course, places }: Line, place: number, below: number) =>
    pointAt(course, places.first + place * places.pitch, below * places.pitch);
  const [from, to] = [-0.5 - margin, length - 0.5 + margin];
  return [at(top, from, -0.5), at(top, to, -0.5), at(bottom, to, 0.5), at(bottom, from, 0.5)];
}

/** A bundle after the first look at it. */
export interface Start {
  readonly reading: Reading;
  readonly lines: readonly Line[];
}

const ALPHABETS_OF = new Map(FORMATS.map((format) => [format, alphabetsOf(format)]));

/** Reads the lines in one look, by the layout among those given that fits best. */
function readOnce(
  picture: GreyPicture,
  networks: Networks,
  lines: readonly Line[],
  formats: readonly Format[],
  guess: number,
  number: number,
  today: string,
): Start | undefined {
  const how = LOOKS[number];
  const isFirst = formats.length > 1 || guess === 30;
  const seen = lines.map((line) =>
    look(picture, networks, line, guess, number === 0 && isFirst ? { ...how, lead: 3.5 } : how),
  );
  let best: Start | undefined;
  for (const format of formats) {
    const alphabets = ALPHABETS_OF.get(format) as Alphabet[][];
    const read = seen.map(({ logs }, line) => readPlaces(logs, alphabets[line]));
    if (read.some((line) => !line)) continue;
    const whole = read as ReadLine[];
    const parsed = parseMrz(
      whole.map(({ text }) => text),
      today,
    );
    // Layouts of one length differ in their first character and their digits only.
    const fits = parsed?.format === format ? 0.05 * Object.values(parsed.checks).filter(Boolean).length : -0.3;
    const score = whole.reduce((sum, line) => sum + line.score, 0) / whole.length;
    if (best && best.reading.score >= score + fits) continue;
    const placed = lines.map((line, index) => ({ ...line, places: refined(whole[index], seen[index]) }));
    const corners = around(placed, format.length);
    const isWhole = around(placed, format.length, BLANK).every((corner) => isWithin(picture, corner));
    best = {
      lines: placed,
      reading: {
        lines: whole,
        parsed: parsed?.format === format ? parsed : undefined,
        score: score + fits,
        look: number,
        isWhole,
        pitch: Math.min(...placed.map(({ places }) => places.pitch)),
        contrast: contrastOf(picture, placed, format.length),
        corners,
      },
    };
  }
  return best;
}

/** Whether all digits, dates and states of a reading are sound. */
export function isSound({ parsed }: Reading): boolean {
  if (!parsed?.isPlausible || !parsed.fields.birthDate || !parsed.fields.expiresOn) return false;
  return Object.values(parsed.checks).every(Boolean);
}

/** Two lines that are the first or the last two of a card, with the third where it must be. */
function completed([upper, lower]: Bundle): Bundle[] {
  const third = (from: Course, to: Course): Course => {
    const [[a0, a1, a2], [b0, b1, b2]] = [from.bend, to.bend];
    return { ...to, bend: [2 * b0 - a0, 2 * b1 - a1, 2 * b2 - a2] };
  };
  return [
    [upper, lower, third(upper, lower)],
    [third(lower, upper), upper, lower],
  ];
}

function begin(picture: GreyPicture, networks: Networks, found: Bundle, today: string): Start | undefined {
  const guess = found.length === 3 ? 30 : 40;
  const straight = found.map((course) => straighten(picture, course, placesOf(course, guess).pitch));
  const bundle = upright(picture, networks, straight);
  if (!bundle) return undefined;
  const formats = FORMATS.filter(({ lines }) => lines === bundle.length);
  const lines = bundle.map((course) => ({ course, places: placesOf(course, guess) }));
  return readOnce(picture, networks, lines, formats, guess, 0, today);
}

/** Reads a bundle for the first time. Reads two illegible lines also as two of three, and three as two beside a line of words. */
export function beginBundle(
  picture: GreyPicture,
  networks: Networks,
  found: Bundle,
  today: string,
  isSpent: () => boolean,
): Start | undefined {
  let best = begin(picture, networks, found, today);
  if (best && best.reading.score > POOR) return best;
  for (const bundle of found.length === 3 ? [found.slice(1), found.slice(0, 2)] : completed(found)) {
    if (isSpent()) break;
    const other = begin(picture, networks, bundle, today);
    if (other && (!best || other.reading.score > best.reading.score)) best = other;
  }
  return best;
}

/** Looks again at a bundle until that is enough, all looks are done or the budget is spent. */
export function lookAgain(
  picture: GreyPicture,
  networks: Networks,
  start: Start,
  today: string,
  isEnough: (readings: readonly Reading[]) => boolean,
  isSpent: () => boolean,
): Reading[] {
  const readings = [start.reading];
  const length = start.reading.lines[0]?.text.length ?? 0;
  const formats = FORMATS.filter((format) => format.lines === start.lines.length && format.length === length);
  for (let number = 1; number < LOOKS.length && !isEnough(readings) && !isSpent(); number += 1) {
    // A picture that reads as hopeless twice is not looked at seven times.
    if (number === 2 && readings.every(({ score }) => score < HOPELESS)) break;
    const next = readOnce(picture, networks, start.lines, formats, length, number, today);
    if (next) readings.push(next.reading);
  }
  return readings;
}
