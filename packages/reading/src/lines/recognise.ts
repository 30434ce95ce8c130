import { ALPHABETS, type Alphabet } from '../mrz/formats.ts';
import type { Planes } from '../network/convolution.ts';

/** The characters in the order of the network's outputs; a gap follows them. */
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';
const GAP = CHARACTERS.length;
const CLASSES = GAP + 1;
/** Frames between two characters. */
const [NEAREST, USUAL, FARTHEST] = [5, 7, 9];

export interface ReadLine {
  readonly text: string;
  /** For each character how sure it is among those that may stand there, 0 to 1. */
  readonly sure: readonly number[];
  /** Mean logarithm of the likelihood of the characters among all: how much the glyphs look like OCR-B. */
  readonly likeness: number;
  /** How sure it is that nothing stands beside the first and the last character, 0 to 1. */
  readonly ends: number;
  /** Frame of each character. */
  readonly frames: readonly number[];
  /** What the whole line scored; comparable between layouts only for each character. */
  readonly score: number;
}

const indexesOf = (characters: string): number[] => [...characters].map((one) => CHARACTERS.indexOf(one));

const ALLOWED: Readonly<Record<Alphabet, readonly number[]>> = {
  any: indexesOf(ALPHABETS.any),
  letters: indexesOf(ALPHABETS.letters),
  digits: indexesOf(ALPHABETS.digits),
  date: indexesOf(ALPHABETS.date),
  sex: indexesOf(ALPHABETS.sex),
};

/** Logarithms of the likelihoods of all classes, each frame blended with its neighbours. */
export function likelihoods(scores: Planes): Float64Array {
  const frames = scores.width;
  const logs = new Float64Array(frames * CLASSES);
  for (let frame = 0; frame < frames; frame += 1) {
    const at = frame * CLASSES;
    let most = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < CLASSES; c += 1) most = Math.max(most, scores.data[at + c]);
    let sum = 0;
    for (let c = 0; c < CLASSES; c += 1) sum += Math.exp(scores.data[at + c] - most);
    const total = most + Math.log(sum);
    for (let c = 0; c < CLASSES; c += 1) logs[at + c] = Math.max(-12, scores.data[at + c] - total);
  }
  return logs;
}

function blended(logs: Float64Array): Float64Array {
  const out = new Float64Array(logs.length);
  const last = logs.length - CLASSES;
  for (let at = 0; at < logs.length; at += 1) {
    const before = at >= CLASSES ? logs[at - CLASSES] : logs[at];
    const after = at < last ? logs[at + CLASSES] : logs[at];
    out[at] = (before + 2 * logs[at] + after) / 4;
  }
  return out;
}

/** What stands beside the first and last place: nothing, else the line is cut or shifted. */
function outside(logs: Float64Array, frame: number, direction: number): number {
  const frames = logs.length / CLASSES;
  let cost = 0;
  for (const distance of [USUAL, 2 * USUAL]) {
    const beside = frame + direction * distance;
    // Beyond the strip it is unknown.
    cost += beside < 0 || beside >= frames ? -2 : Math.max(-5, logs[beside * CLASSES + GAP]);
  }
  return cost;
}

/** How sure a gap is everywhere around where one more character would stand. */
function emptiness(logs: Float64Array, place: number): number {
  let least = 1;
  for (let frame = Math.round(place) - 1; frame <= Math.round(place) + 1; frame += 1) {
    const isSeen = frame >= 0 && (frame + 1) * CLASSES <= logs.length;
    least = Math.min(least, isSeen ? Math.exp(logs[frame * CLASSES + GAP]) : 0);
  }
  return least;
}

function sureness(logs: Float64Array, frame: number, allowed: readonly number[], chosen: number): number {
  let sum = 0;
  for (const c of allowed) sum += Math.exp(logs[frame * CLASSES + c]);
  sum += Math.exp(logs[frame * CLASSES + GAP]);
  return Math.exp(logs[frame * CLASSES + chosen]) / sum;
}

/**
 * The likeliest line with exactly these places, by dynamic programming over the frames of a strip.
 * @param isPart whether the line goes on beyond the places, as where only a part of it is looked at
 */
export function readPlaces(raw: Float64Array, places: readonly Alphabet[], isPart = false): ReadLine | undefined {
  const logs = blended(raw);
  const frames = logs.length / CLASSES;
  const length = places.length;
  if (frames < (length - 1) * NEAREST + 1) return undefined;
  const bestOf = new Map<Alphabet, { value: Float64Array; which: Uint8Array }>();
  for (const alphabet of new Set(places)) {
    const value = new Float64Array(frames);
    const which = new Uint8Array(frames);
    for (let frame = 0; frame < frames; frame += 1) {
      let best = Number.NEGATIVE_INFINITY;
      for (const c of ALLOWED[alphabet]) {
        if (logs[frame * CLASSES + c] <= best) continue;
        best = logs[frame * CLASSES + c];
        which[frame] = c;
      }
      value[frame] = best;
    }
    bestOf.set(alphabet, { value, which });
  }
  const tops = places.map((alphabet) => bestOf.get(alphabet) as { value: Float64Array; which: Uint8Array });
  const steps = new Uint8Array(length * frames);
  let reached = Float64Array.from(
    { length: frames },
    (_, frame) => tops[0].value[frame] + (isPart ? 0 : outside(logs, frame, -1)),
  );
  for (let place = 1; place < length; place += 1) {
    const next = new Float64Array(frames).fill(Number.NEGATIVE_INFINITY);
    const { value } = tops[place];
    for (let frame = NEAREST; frame < frames; frame += 1) {
      for (let step = NEAREST; step <= Math.min(FARTHEST, frame); step += 1) {
        const between = logs[(frame - (step >> 1)) * CLASSES + GAP];
        const sum = reached[frame - step] + 0.5 * between - 0.25 * Math.abs(step - USUAL);
        if (sum <= next[frame]) continue;
        next[frame] = sum;
        steps[place * frames + frame] = step;
      }
      next[frame] += value[frame];
    }
    reached = next;
  }
  let end = -1;
  let score = Number.NEGATIVE_INFINITY;
  for (let frame = 0; frame < frames; frame += 1) {
    const sum = reached[frame] + (isPart ? 0 : outside(logs, frame, 1));
    if (sum > score) [score, end] = [sum, frame];
  }
  if (end < 0) return undefined;
  const found: number[] = [];
  for (let place = length - 1, frame = end; place >= 0; place -= 1) {
    found[place] = frame;
    frame -= steps[place * frames + frame];
  }
  const chosen = found.map((frame, place) => tops[place].which[frame]);
  const sure = found.map((frame, place) => sureness(logs, frame, ALLOWED[places[place]], chosen[place]));
  const likeness = found.reduce((sum, frame, place) => sum + logs[frame * CLASSES + chosen[place]], 0) / length;
  const pitch = (end - found[0]) / (length - 1);
  const ends = Math.min(emptiness(raw, found[0] - pitch), emptiness(raw, end + pitch));
  return {
    text: chosen.map((c) => CHARACTERS.charAt(c)).join(''),
    sure,
    likeness,
    ends,
    frames: found,
    score: score / length,
  };
}
