import type { Outcome } from './evaluate.ts';
import { READABLE } from './shots.ts';
import type { Values } from './zone.ts';

export interface Goal {
  readonly name: string;
  readonly figure: string;
  readonly goal: string;
  readonly isMet: boolean;
}

/** A table in Markdown: its columns are those of the first row. */
export function markdown(rows: readonly Readonly<Record<string, string>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [
    columns,
    columns.map(() => '---'),
    ...rows.map((one) => columns.map((column) => one[column] ?? '')),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function share(part: number, all: number): string {
  return all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`;
}

function count(outcomes: readonly Outcome[], is: (outcome: Outcome) => boolean): number {
  return outcomes.filter(is).length;
}

/** The value below which this share of them lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
}

function rate(part: number, all: number): number {
  return all === 0 ? 0 : part / all;
}

const has =
  (field: keyof Values) =>
  ({ record }: Outcome) =>
    record.zone?.values[field] !== undefined;
const isRightlyOffered =
  (field: keyof Values) =>
  ({ offered, wrong }: Outcome) =>
    offered.includes(field) && !wrong.some((line) => line.startsWith(field));
const wrongOf = (outcomes: readonly Outcome[]) => outcomes.reduce((sum, { wrong }) => sum + wrong.length, 0);

const areDigitsRight = (one: Outcome) => one.areDigitsRight;
const isExact = (one: Outcome) => one.isExact;
const areNamesRight = (one: Outcome) => one.areNamesRight;

function row(name: string, outcomes: readonly Outcome[]): Record<string, string> {
  const all = outcomes.length;
  const offered = (field: keyof Values) =>
    share(count(outcomes, isRightlyOffered(field)), count(outcomes, has(field)));
  return {
    group: name,
    pictures: String(all),
    'check digits': share(count(outcomes, areDigitsRight), all),
    'every character': share(count(outcomes, isExact), all),
    number: offered('documentNumber'),
    birth: offered('birthDate'),
    expiry: offered('expiresOn'),
    state: offered('issuingState'),
    nationality: offered('nationality'),
    names: share(count(outcomes, areNamesRight), all),
    'names wrong': String(count(outcomes, (one) => one.areNamesOffered && !one.areNamesRight)),
    answered: String(count(outcomes, (one) => one.isAnswered)),
    'values wrong': String(wrongOf(outcomes)),
  };
}

function groupsOf(outcomes: readonly Outcome[]): Map<string, Outcome[]> {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const name = `${outcome.record.group}: ${outcome.record.kind}`;
    groups.set(name, [...(groups.get(name) ?? []), outcome]);
  }
  return groups;
}

/** One row for each class, then for the readable ones by layout, by turn and by font. */
export function tableOf(outcomes: readonly Outcome[]): Record<string, string>[] {
  const readable = outcomes.filter(({ record }) => record.isReadable);
  const by = (name: string, keyOf: (outcome: Outcome) => string | number | undefined) =>
    [...new Set(readable.map(keyOf))].map((key) =>
      row(
        `${name} ${key ?? ''}`,
        readable.filter((outcome) => keyOf(outcome) === key),
      ),
    );
  return [
    ...[...groupsOf(outcomes)].map(([name, group]) => row(name, group)),
    row('readable', readable),
    ...by('readable:', ({ record }) => record.zone?.layout),
    ...by('readable: turned', ({ record }) => record.turn),
    ...by('readable:', ({ record }) => record.zone?.font),
  ];
}

function atLeast(name: string, part: number, all: number, least: number): Goal {
  return {
    name,
    figure: `${share(part, all)} (${part} of ${all})`,
    goal: `≥ ${100 * least} %`,
    isMet: rate(part, all) >= least,
  };
}

function bounded(name: string, figure: number, most: number, unit = ''): Goal {
  return { name, figure: `${Number(figure.toFixed(3))}${unit}`, goal: `≤ ${most}${unit}`, isMet: figure <= most };
}

function manyEnough(name: string, figure: number, least: number): Goal {
  return { name, figure: String(figure), goal: `≥ ${least}`, isMet: figure >= least };
}

function costGoals(outcomes: readonly Outcome[], peak: number, mostMemory: number): Goal[] {
  const cpu = outcomes.map((one) => one.cpu);
  const median = quantile(cpu, 0.5).toFixed(3);
  const reading = outcomes.map((one) => one.cpuOfReading);
  const alone = `reading alone: median ${quantile(reading, 0.5).toFixed(3)}, p95 ${quantile(reading, 0.95).toFixed(3)}, max ${Math.max(...reading).toFixed(3)} s`;
  return [
    bounded(`CPU, p95 (median ${median} s; ${alone})`, quantile(cpu, 0.95), 0.8, ' s'),
    bounded('CPU, max', Math.max(...cpu), 1.5, ' s'),
    bounded(`peak memory over ${outcomes.length} pictures`, peak, mostMemory, ' MB'),
  ];
}

/** What the reader of zones must show. */
export function zoneGoals(outcomes: readonly Outcome[], peak: number): Goal[] {
  const of = (...groups: string[]) => outcomes.filter(({ record }) => groups.includes(record.group));
  const documents = of('document');
  const readable = documents.filter(({ record }) => record.isReadable);
  const unreadable = documents.filter(({ record }) => !record.isReadable);
  const upright = readable.filter(({ record }) => record.turn === 0);
  const turned = readable.filter(({ record }) => record.turn !== 0);
  const behind = (is: (one: Outcome) => boolean) =>
    100 * (rate(count(upright, is), upright.length) - rate(count(turned, is), turned.length));
  const answered = (one: Outcome) => one.isAnswered;
  return [
    manyEnough('documents', documents.length, 800),
    manyEnough('readable documents', readable.length, 700),
    manyEnough(
      'values offered',
      documents.reduce((sum, { offered }) => sum + offered.length, 0),
      1800,
    ),
    bounded('wrong values offered, of all pictures', wrongOf(outcomes), 0),
    ...(['documentNumber', 'birthDate', 'expiresOn'] as const).map((field) =>
      atLeast(`${field} offered`, count(readable, isRightlyOffered(field)), count(readable, has(field)), 0.9),
    ),
    atLeast(
      'names right',
      count(readable, (one) => one.areNamesRight),
      readable.length,
      0.8,
    ),
    atLeast('check digits right', count(readable, areDigitsRight), readable.length, 0.97),
    atLeast('every character right', count(readable, isExact), readable.length, 0.93),
    ...READABLE.filter((kind) => kind === 'shadow' || kind === 'mixed').map((kind) => {
      const members = readable.filter(({ record }) => record.kind === kind);
      return atLeast(`check digits right, ${kind}`, count(members, areDigitsRight), members.length, 0.75);
    }),
    bounded('turned behind upright, check digits', behind(areDigitsRight), 5, ' points'),
    bounded('turned behind upright, every character', behind(isExact), 5, ' points'),
    bounded('unreadable documents answered', count(unreadable, answered), 0),
    bounded('non-documents answered', count(of('other'), answered), 0),
    bounded('collisions offered', wrongOf(of('collision')), 0),
    ...costGoals(outcomes, peak, 300),
  ];
}

/** What the reader of barcodes must show. */
export function barcodeGoals(outcomes: readonly Outcome[], peak: number): Goal[] {
  const large = outcomes.filter(({ record }) => record.isReadable && (record.barcode?.module ?? 0) >= 2.5);
  const unsound = outcomes.filter(({ record }) => record.barcode?.isSound === false);
  return [
    atLeast(
      'PDF417 read, ≥ 2.5 px a module',
      count(large, (one) => one.isExact),
      large.length,
      0.95,
    ),
    bounded(
      'PDF417 without a sound head answered',
      count(unsound, (one) => one.isAnswered),
      0,
    ),
    bounded(
      'PDF417 read wrong',
      count(outcomes, (one) => one.wrong.length > 0),
      0,
    ),
    ...costGoals(outcomes, peak, 350),
  ];
}
