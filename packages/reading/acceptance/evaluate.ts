import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { GreyPicture } from '../src/index.ts';
import type { ReadBarcode, ReadZone } from './reader.ts';
import { type BarcodeTruth, type PictureRecord, RECORDS, type ZoneTruth } from './record.ts';
import { checkedText, type Values } from './zone.ts';

/** The longest side of what a reader gets. */
const LONGEST_SIDE = 2200;

/** What a reader made of a picture. */
export interface Outcome {
  readonly record: PictureRecord;
  /** Whether it offered a value or a name, or gave the text of a barcode. */
  readonly isAnswered: boolean;
  readonly offered: readonly (keyof Values)[];
  /** Offered values that are not printed whole: `field: offered, not printed`. */
  readonly wrong: readonly string[];
  readonly areDigitsRight: boolean;
  readonly isExact: boolean;
  readonly areNamesRight: boolean;
  readonly areNamesOffered: boolean;
  /** Seconds of CPU: with and without decoding. */
  readonly cpu: number;
  readonly cpuOfReading: number;
}

/** Decodes as the server does: turned as the camera was held, grey, smaller. */
async function decoded(path: string): Promise<GreyPicture> {
  const { data, info } = await sharp(readFileSync(path))
    .rotate()
    .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const NOTHING = { offered: [], wrong: [], areDigitsRight: false, isExact: false, areNamesRight: false } as const;
type Judgement = Omit<Outcome, 'record' | 'cpu' | 'cpuOfReading'>;

/** Compares a reading of a zone with what is printed. Of a picture without a zone every value is wrong. */
export function judgedZone(reading: ReturnType<ReadZone>, truth: ZoneTruth | undefined): Judgement {
  if (!reading) return { ...NOTHING, isAnswered: false, areNamesOffered: false };
  const values: Values = reading.values;
  const offered = (Object.keys(values) as (keyof Values)[]).filter((name) => values[name] !== undefined);
  const wrong = offered.filter((name) => values[name] !== truth?.values[name]);
  const { surname, givenNames } = reading.names;
  const areNamesOffered = surname !== undefined;
  const areDigitsRight =
    !!truth &&
    reading.isSound &&
    checkedText(reading.text, truth.layout) === checkedText(truth.lines, truth.layout);
  return {
    isAnswered: offered.length > 0 || areNamesOffered,
    offered,
    wrong: wrong.map((name) => `${name}: ${values[name]}, not ${truth?.values[name] ?? 'to be offered'}`),
    areDigitsRight,
    isExact: areDigitsRight && reading.text.join('\n') === truth.lines.join('\n'),
    areNamesOffered,
    areNamesRight: surname === truth?.names.surname && (givenNames ?? '') === truth?.names.givenNames,
  };
}

const ELEMENTS = { DAQ: 'documentNumber', DBB: 'birthDate', DBA: 'expiresOn' } as const;

/** Compares what was read of a barcode with what is encoded. */
export function judgedBarcode(
  reading: Awaited<ReturnType<ReadBarcode>>,
  truth: BarcodeTruth | undefined,
): Judgement {
  if (!reading) return { ...NOTHING, isAnswered: false, areNamesOffered: false };
  const given = Object.entries(reading.elements ?? {}).filter(([, value]) => value !== undefined);
  const wrong = given.filter(([name, value]) => value !== truth?.elements[name]).map(([name]) => name);
  if (reading.text !== undefined && reading.text !== truth?.text) wrong.push('text');
  if (!truth?.isSound) wrong.push('no sound head');
  const isExact = wrong.length === 0;
  const offered = Object.entries(ELEMENTS).flatMap(([name, field]) =>
    name in (reading.elements ?? {}) ? [field] : [],
  );
  return { ...NOTHING, isAnswered: true, offered, wrong, isExact, areNamesOffered: false };
}

/** Reads the pictures of a set in this process, one after the other. */
export async function outcomesOf(
  folder: string,
  readers: { readonly readZone?: ReadZone | undefined; readonly readBarcode?: ReadBarcode | undefined },
): Promise<Outcome[]> {
  sharp.concurrency(1);
  sharp.cache(false);
  const { records } = JSON.parse(readFileSync(join(folder, RECORDS), 'utf8')) as { records: PictureRecord[] };
  const outcomes: Outcome[] = [];
  const seconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;
  const { readZone, readBarcode } = readers;
  for (const record of records) {
    const isBarcode = record.group === 'licence';
    if (isBarcode ? !readBarcode : !readZone) continue;
    const start = process.cpuUsage();
    const picture = await decoded(join(folder, `${record.id}.jpg`));
    const startOfReading = process.cpuUsage();
    const judgement =
      isBarcode && readBarcode
        ? judgedBarcode(await readBarcode(picture), record.barcode)
        : judgedZone(readZone?.(picture), record.zone);
    const [cpu, cpuOfReading] = [seconds(process.cpuUsage(start)), seconds(process.cpuUsage(startOfReading))];
    outcomes.push({ record, ...judgement, cpu, cpuOfReading });
  }
  return outcomes;
}
