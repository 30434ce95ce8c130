import type { Crop } from './camera.ts';
import { documentSheet } from './document.ts';
import type { Lettering } from './lettering.ts';
import { holderOf } from './people.ts';
import type { Cover } from './photograph.ts';
import type { Random } from './random.ts';
import type { Sheet, Zone } from './sheet.ts';
import { type Entries, type Layout, type Values, valuesOf, zoneLines } from './zone.ts';

/** Faults in a zone whose check digits fit all the same, or that a reader could complete by them. */
export type Fault =
  | 'letter for digit'
  | 'worn character'
  | 'one character more'
  | 'cut character'
  | 'covered characters';

/** A document with a fault. */
export interface Faulty {
  readonly sheet: Sheet;
  readonly layout: Layout;
  readonly lines: readonly string[];
  /** The values that are printed whole: nothing else may be offered. */
  readonly allowed: Values;
  readonly crop?: Crop;
  readonly covers: readonly Cover[];
}

type FieldName = 'documentNumber' | 'birthDate' | 'expiresOn';

/** Where a field stands in a zone. */
function placeOf(layout: Layout, field: FieldName): { line: number; from: number; to: number } {
  const [line, from] =
    layout === 'TD1'
      ? ({ documentNumber: [0, 5], birthDate: [1, 0], expiresOn: [1, 8] } as const)[field]
      : ({ documentNumber: [1, 0], birthDate: [1, 13], expiresOn: [1, 21] } as const)[field];
  return { line, from, to: from + (field === 'documentNumber' ? 9 : 6) };
}

/** Characters that count the same modulo 10. */
export function sameValue(character: string): string[] {
  const all = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const value = all.indexOf(character) % 10;
  return [...all].filter((other) => all.indexOf(other) % 10 === value && other !== character);
}

const ENTRY: Readonly<Record<FieldName, 'number' | 'birth' | 'expiry'>> = {
  documentNumber: 'number',
  birthDate: 'birth',
  expiresOn: 'expiry',
};

/** Prints a letter of the same value in the place of a digit: all check digits fit as before. */
function withLetter(random: Random, entries: Entries): Entries {
  const field = random.pick(['documentNumber', 'birthDate', 'birthDate', 'expiresOn'] as const);
  const name = ENTRY[field];
  const digits = [...entries[name]].flatMap((character, i) => (/\d/.test(character) ? [i] : []));
  const at = random.pick(digits);
  const letter = random.pick(sameValue(entries[name][at] ?? '').filter((one) => /[A-Z]/.test(one)));
  return { ...entries, [name]: entries[name].slice(0, at) + letter + entries[name].slice(at + 1) };
}

function characterX(zone: Zone, place: number): number {
  return zone.left + place * zone.pitch;
}

/** Rubs off the part of a character in which it differs from another of the same value. A trace is left. */
function worn(random: Random, sheet: Sheet, zone: Zone, line: number, place: number): Sheet {
  const [x, baseline] = [characterX(zone, place), zone.baselines[line] ?? 0];
  const [dx, dy, width, height] = random.pick([
    [1.35, -2.6, 1.1, 1.5],
    [0.1, -1.3, 1.2, 1.4],
    [0.2, -2.7, 2.1, 0.8],
    [1.35, -1.3, 1.1, 1.4],
  ] as const);
  const patch = `<rect x="${x + dx}" y="${baseline + dy}" width="${width}" height="${height}" rx=".3" fill="#e6e2da" fill-opacity="${random.between(0.6, 0.8).toFixed(2)}"/>`;
  return { ...sheet, art: sheet.art + patch };
}

/** The picture ends within the first or the last character of the lines. */
function cropAt(random: Random, sheet: Sheet, zone: Zone, isFirst: boolean): Crop {
  const inside = random.between(0.3, 0.75) * zone.pitch;
  return {
    left: isFirst ? zone.left + inside : -random.between(3, 15),
    right: isFirst ? sheet.width + random.between(3, 15) : characterX(zone, zone.characters) - inside,
    top: -random.between(3, 10),
    bottom: sheet.height + random.between(3, 10),
  };
}

function without(values: Values, ...fields: readonly (keyof Values)[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !fields.includes(name as keyof Values)));
}

/** Draws a document with this fault. */
export function faulty(random: Random, fault: Fault, lettering: Lettering, thisYear: number): Faulty {
  const layout = random.pick(['TD1', 'TD2', 'TD3', 'TD3', 'MRV-A', 'MRV-B'] as const);
  const holder = holderOf(random, layout);
  const number = random.text('ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1) + random.text('0123456789', 8);
  const good = { ...holder.entries, number, birth: holder.entries.birth.replace('<<', '15') };
  const entries = fault === 'letter for digit' ? withLetter(random, good) : good;
  const correct = zoneLines(layout, entries);
  const draw = (lines: readonly string[]) =>
    documentSheet(random, { ...holder, entries: good }, layout, lines, lettering);
  const values = valuesOf(entries, thisYear);
  const plain = (lines: readonly string[], allowed: Values) => {
    return { sheet: draw(lines), layout, lines, allowed, covers: [] };
  };

  if (fault === 'letter for digit') return plain(correct, values);
  if (fault === 'one character more') {
    const extra = () => random.text('0123456789ABCDEFGHIJKLMNOPRSTUVWXYZ', 1);
    const isBefore = random.chance(0.5);
    const lines = correct.map((line) => (isBefore ? extra() + line : line + extra()));
    const drawn = plain(lines, {});
    const zone = drawn.sheet.zone;
    return zone && random.chance(0.5) ? { ...drawn, crop: cropAt(random, drawn.sheet, zone, isBefore) } : drawn;
  }
  const drawn = plain(correct, values);
  const { zone } = drawn.sheet;
  if (!zone) throw new Error('A document has no zone.');
  if (fault === 'worn character') {
    const { line, from, to } = placeOf(layout, 'documentNumber');
    return { ...drawn, sheet: worn(random, drawn.sheet, zone, line, random.integer(from, to - 1)) };
  }
  if (fault === 'cut character') {
    const isFirst = random.chance(0.6);
    const cut: keyof Values = layout === 'TD1' ? 'birthDate' : 'documentNumber';
    const crop = cropAt(random, drawn.sheet, zone, isFirst);
    return { ...drawn, crop, allowed: isFirst ? without(values, cut) : values };
  }
  const field = random.pick(['documentNumber', 'birthDate', 'expiresOn'] as const);
  const { line, from, to } = placeOf(layout, field);
  const count = random.integer(1, 2);
  const first = random.integer(from, to - count);
  const y = (zone.baselines[line] ?? 0) - 1.25;
  const [left, right] = [characterX(zone, first), characterX(zone, first + count)];
  const cover: Cover = random.chance(0.5)
    ? { kind: 'paper', from: [left - 0.1, y], to: [right + 0.1, y], width: 3.6 }
    : { kind: 'ink', from: [left + 0.9, y - 0.2], to: [right - 0.9, y + 0.2], width: 3.4 };
  return { ...drawn, covers: [cover], allowed: without(values, field) };
}
