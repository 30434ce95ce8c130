import { consensusOf } from './lines/consensus.ts';
import { findLines } from './lines/find-lines.ts';
import { beginBundle, isSound, lookAgain, type Reading, type Start } from './lines/read-bundle.ts';
import type { FormatName } from './mrz/formats.ts';
import type { Networks } from './network/networks.ts';
import { type Offer, offerOf } from './offer.ts';
import type { GreyPicture } from './picture.ts';

/** The finder looks at the picture at these sizes until a zone reads well, each within this share of the budget: a larger copy is more work. */
const SIDES = [
  [384, 1],
  [288, 1],
  [640, 0.65],
] as const;

/** The scores of a character from which on a zone is legible, promises to be, and is worth another look at all. */
const [LEGIBLE, PROMISING, WORTH] = [0, -0.9, -4];

/** The budget of the measured accuracy. A million multiplications take about a millisecond of a processor of 2026. */
const BUDGET = 500_000_000;

/** Options of `readMrz`. */
export interface ReadOptions {
  /** YYYY-MM-DD, for the centuries of dates. */
  readonly today: string;
  /**
   * Multiplications of the networks after which no further look begins. They are work, not time, so a picture has the same reading on every
   * machine. Default: 500 million.
   */
  readonly budget?: number | undefined;
}

/** What was read of one picture, and where its zone stands. */
export interface MrzReading extends Offer {
  readonly format: FormatName;
  /** Whether all digits fit, and dates and states exist. */
  readonly isSound: boolean;
  readonly text: readonly string[];
  /** Corners of the zone in pixels of the picture, from its first character on. */
  readonly corners: Reading['corners'];
}

/** Whether all values are offered, or enough looks have shown that the others will not be. */
function isEnough(readings: readonly Reading[]): boolean {
  if (readings.filter(isSound).length < 2) return false;
  const { values, names } = offerOf(readings);
  return (Object.keys(values).length === 5 && names.surname !== undefined) || readings.length >= 5;
}

function better(a: Reading, b: Reading): number {
  return Number(isSound(b)) - Number(isSound(a)) || b.score - a.score;
}

/** Reads the machine-readable zone in a picture, or finds none. */
export function readMrz(picture: GreyPicture, networks: Networks, options: ReadOptions): MrzReading | undefined {
  const { today, budget = BUDGET } = options;
  const before = networks.multiplications();
  const isSpent = (share = 1) => networks.multiplications() - before > budget * share;
  let best: Reading[] = [];
  const deepen = (zone: Start) => {
    const readings = lookAgain(picture, networks, zone, today, isEnough, isSpent);
    const together = readings.some(isSound) ? undefined : consensusOf(readings, today);
    if (together) readings.push(together);
    readings.sort(better);
    if (!best[0] || better(readings[0], best[0]) < 0) best = readings;
  };
  // A legible zone whose digits do not fit will not fit at another size either.
  const isDone = () => isSpent() || (best[0] && (isSound(best[0]) || best[0].score > LEGIBLE));
  const poor: Start[] = [];
  for (const [side, share] of SIDES) {
    for (const bundle of isDone() || isSpent(share) ? [] : findLines(picture, networks, side)) {
      const zone = isDone() ? undefined : beginBundle(picture, networks, bundle, today, isSpent);
      if (!zone || zone.reading.score < WORTH) continue;
      if (zone.reading.score > PROMISING) deepen(zone);
      else poor.push(zone);
    }
  }
  poor.sort((a, b) => better(a.reading, b.reading));
  for (const zone of poor) if (!best[0] || !isDone()) deepen(zone);
  const [reading] = best;
  if (!reading?.parsed) return undefined;
  return {
    ...offerOf(best),
    format: reading.parsed.format.name,
    isSound: isSound(reading),
    text: reading.lines.map(({ text }) => text),
    corners: reading.corners,
  };
}
