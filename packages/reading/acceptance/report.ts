import type { Outcome } from './evaluate.ts';
import { READABLE } from './shots.ts';
import type { Values } from './zone.ts';

/** What must be shown, and what was. */
export interface Goal {
  readonly name: string;
  readonly figure: string;
  readonly goal: string;
  readonly isMet: boolean;
}

type Outcomes = readonly Outcome[];
type Row = Readonly<Record<string, string>>;

/** A table in Markdown: its columns are those of the first row. */
export function markdown(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, columns.map(() => '---'), ...rows.map((one) => columns.map((name) => one[name] ?? ''))];
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const countOf = (outcomes: Outcomes, is: (outcome: Outcome) => boolean) => outcomes.filter(is).length;
const rate = (part: number, all: number) => (all === 0 ? 0 : part / all);
const share = (part: number, all: number) => (all === 0 ? '–' : `${(100 * rate(part, all)).toFixed(1)} %`);

/** The value below which this share of them lies. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
}

const wrongOf = (outcomes: Outcomes) => outcomes.reduce((sum, { wrong }) => sum + wrong.length, 0);
const isAnswered = (one: Outcome) => one.isAnswered;
const areDigitsRight = (one: Outcome) => one.areDigitsRight;
const isExact = (one: Outcome) => one.isExact;
const areNamesRight = (one: Outcome) => one.areNamesRight;

/** How many have a field, and of how many it is offered as printed. */
function offered(outcomes: Outcomes, field: keyof Values): [part: number, all: number] {
  const having = outcomes.filter(({ record }) => record.zone?.values[field] !== undefined);
  const isRight = ({ offered: fields, wrong }: Outcome) =>
    fields.includes(field) && !wrong.some((line) => line.startsWith(field));
  return [countOf(having, isRight), having.length];
}

function zoneRow(group: string, outcomes: Outcomes): Row {
  const all = outcomes.length;
  return {
    group,
    pictures: String(all),
    'check digits': share(countOf(outcomes, areDigitsRight), all),
    'every character': share(countOf(outcomes, isExact), all),
    number: share(...offered(outcomes, 'documentNumber')),
    birth: share(...offered(outcomes, 'birthDate')),
    expiry: share(...offered(outcomes, 'expiresOn')),
    state: share(...offered(outcomes, 'issuingState')),
    nationality: share(...offered(outcomes, 'nationality')),
    names: share(countOf(outcomes, areNamesRight), all),
    'names wrong': String(countOf(outcomes, (one) => one.areNamesOffered && !one.areNamesRight)),
    answered: String(countOf(outcomes, isAnswered)),
    'values wrong': String(wrongOf(outcomes)),
  };
}

function barcodeRow(group: string, outcomes: Outcomes): Row {
  return {
    group,
    pictures: String(outcomes.length),
    read: share(countOf(outcomes, isExact), outcomes.length),
    answered: String(countOf(outcomes, isAnswered)),
    'texts wrong': String(wrongOf(outcomes)),
    'CPU, median': `${quantile(
      outcomes.map(({ cpu }) => cpu),
      0.5,
    ).toFixed(3)} s`,
  };
}

/** A row for each value of a key. */
function rowsBy(outcomes: Outcomes, rowOf: typeof zoneRow, keyOf: (outcome: Outcome) => string): Row[] {
  const keys = [...new Set(outcomes.map(keyOf))];
  return keys.map((key) =>
    rowOf(
      key,
      outcomes.filter((outcome) => keyOf(outcome) === key),
    ),
  );
}

const readableOf = (outcomes: Outcomes) => outcomes.filter(({ record }) => record.isReadable);

/** One row for each class, then for the readable ones by layout, by turn and by font. */
export function zoneTable(outcomes: Outcomes): Row[] {
  const readable = readableOf(outcomes);
  return [
    ...rowsBy(outcomes, zoneRow, ({ record }) => `${record.group}: ${record.kind}`),
    zoneRow('readable', readable),
    ...rowsBy(readable, zoneRow, ({ record }) => `readable: ${record.zone?.layout}`),
    ...rowsBy(readable, zoneRow, ({ record }) => `readable: turned ${record.turn}`),
    ...rowsBy(readable, zoneRow, ({ record }) => `readable: ${record.zone?.font}`),
  ];
}

/** Of barcodes: by size of a module, by tilt, and those without a sound head. */
export function barcodeTable(outcomes: Outcomes): Row[] {
  const sound = readableOf(outcomes).toSorted(
    (a, b) => (a.record.barcode?.module ?? 0) - (b.record.barcode?.module ?? 0),
  );
  const tilts = sound.toSorted((a, b) => tiltOf(a) - tiltOf(b));
  return [
    ...rowsBy(sound, barcodeRow, ({ record }) => `PDF417: ${record.barcode?.module} px a module`),
    ...rowsBy(tilts, barcodeRow, (one) => `PDF417: tilted by up to ${5 * Math.ceil(tiltOf(one) / 5)}°`),
    ...rowsBy(outcomes, barcodeRow, ({ record }) => `PDF417: ${record.kind}`),
  ];
}

const tiltOf = ({ record }: Outcome) => Math.abs(record.barcode?.tilt ?? 0);

function atLeast(name: string, [part, all]: readonly [part: number, all: number], least: number): Goal {
  const figure = `${share(part, all)} (${part} of ${all})`;
  return { name, figure, goal: `≥ ${100 * least} %`, isMet: rate(part, all) >= least };
}

function atMost(name: string, figure: number, most: number, unit = ''): Goal {
  return { name, figure: `${Number(figure.toFixed(3))}${unit}`, goal: `≤ ${most}${unit}`, isMet: figure <= most };
}

function manyEnough(name: string, figure: number, least: number): Goal {
  return { name, figure: String(figure), goal: `≥ ${least}`, isMet: figure >= least };
}

function costGoals(outcomes: Outcomes, peak: number, mostMemory: number): Goal[] {
  const cpu = outcomes.map((one) => one.cpu);
  const reading = outcomes.map((one) => one.cpuOfReading);
  const [median, p95, max] = [0.5, 0.95, 1].map((part) => quantile(reading, part).toFixed(3));
  const alone = `reading alone: median ${median}, p95 ${p95}, max ${max} s`;
  return [
    atMost(`CPU, p95 (median ${quantile(cpu, 0.5).toFixed(3)} s; ${alone})`, quantile(cpu, 0.95), 0.8, ' s'),
    atMost('CPU, max', Math.max(...cpu), 1.5, ' s'),
    atMost(`peak memory over ${outcomes.length} pictures`, peak, mostMemory, ' MB'),
  ];
}

/** What the reader of zones must show. */
export function zoneGoals(outcomes: Outcomes, peak: number): Goal[] {
  const of = (group: string) => outcomes.filter(({ record }) => record.group === group);
  const documents = of('document');
  const readable = readableOf(documents);
  const unreadable = documents.filter(({ record }) => !record.isReadable);
  const countedIn = (some: Outcomes, is: (one: Outcome) => boolean) => [countOf(some, is), some.length] as const;
  const behind = (is: (one: Outcome) => boolean) => {
    const [upright, turned] = [true, false].map((isUpright) =>
      readable.filter(({ record }) => (record.turn === 0) === isUpright),
    );
    return 100 * (rate(...countedIn(upright, is)) - rate(...countedIn(turned, is)));
  };
  return [
    manyEnough('documents', documents.length, 800),
    manyEnough('readable documents', readable.length, 700),
    manyEnough('values offered', documents.flatMap((one) => one.offered).length, 1800),
    atMost('wrong values offered, of all pictures', wrongOf(outcomes), 0),
    ...(['documentNumber', 'birthDate', 'expiresOn'] as const).map((field) =>
      atLeast(`${field} offered`, offered(readable, field), 0.9),
    ),
    atLeast('names right', countedIn(readable, areNamesRight), 0.8),
    atLeast('check digits right', countedIn(readable, areDigitsRight), 0.97),
    atLeast('every character right', countedIn(readable, isExact), 0.93),
    ...READABLE.filter((kind) => kind === 'shadow' || kind === 'mixed').map((kind) => {
      const members = readable.filter(({ record }) => record.kind === kind);
      return atLeast(`check digits right, ${kind}`, countedIn(members, areDigitsRight), 0.75);
    }),
    atMost('turned behind upright, check digits', behind(areDigitsRight), 5, ' points'),
    atMost('turned behind upright, every character', behind(isExact), 5, ' points'),
    atMost('unreadable documents answered', countOf(unreadable, isAnswered), 0),
    atMost('non-documents answered', countOf(of('other'), isAnswered), 0),
    atMost('collisions offered', wrongOf(of('collision')), 0),
    ...costGoals(outcomes, peak, 300),
  ];
}

/** What the reader of barcodes must show. */
export function barcodeGoals(outcomes: Outcomes, peak: number): Goal[] {
  const large = readableOf(outcomes).filter(({ record }) => (record.barcode?.module ?? 0) >= 2.5);
  const unsound = outcomes.filter(({ record }) => !record.isReadable);
  return [
    atLeast('PDF417 read, ≥ 2.5 px a module', [countOf(large, isExact), large.length], 0.95),
    atMost('PDF417 without a sound head answered', countOf(unsound, isAnswered), 0),
    atMost(
      'PDF417 read wrong',
      countOf(outcomes, (one) => one.wrong.length > 0),
      0,
    ),
    ...costGoals(outcomes, peak, 350),
  ];
}
