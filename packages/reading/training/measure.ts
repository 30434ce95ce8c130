// Reads drawn pictures and compares with what was drawn: node measure.ts <folder of draw.ts> <folder of weights> [verbose or nothing] [multiplications a picture]
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { createNetworks, type DescribedLayer, type MrzReading, parseMrz, readMrz } from '../src/index.ts';

const [folder = '', weights = '', verbose, most] = process.argv.slice(2);
/** The longest side of a picture that is read. */
const SIDE = 2200;
const TODAY = '2026-06-01';
const budget = most === undefined ? undefined : Number(most);
const manifest = JSON.parse(readFileSync(`${weights}/manifest.json`, 'utf8')) as {
  layers: readonly DescribedLayer[];
};
const networks = createNetworks(readFileSync(`${weights}/mrz.bin`), manifest.layers);

/** What draw.ts says of a picture. */
interface Truth {
  readonly lines: readonly string[];
  readonly kind: string;
  readonly format: string;
  readonly turned: number;
  readonly unit: number;
  readonly width: number;
  readonly height: number;
}

const OFFERED = ['documentNumber', 'birthDate', 'expiresOn', 'issuingState', 'nationality'] as const;

interface Tally {
  count: number;
  sound: number;
  exact: number;
  values: number;
  offered: number;
  wrong: number;
  /** Wrong values in readings whose digits fit: what the rule of offering must hold back. */
  misfits: number;
  names: number;
  namesRight: number;
}

const tallies = new Map<string, Tally>();
const times: number[] = [];
let unreadable = 0;
let answered = 0;

function tally(group: string): Tally {
  const found = tallies.get(group) ?? {
    count: 0,
    sound: 0,
    exact: 0,
    values: 0,
    offered: 0,
    wrong: 0,
    misfits: 0,
    names: 0,
    namesRight: 0,
  };
  tallies.set(group, found);
  return found;
}

function compare(group: string, truth: readonly string[], reading: MrzReading | undefined): void {
  const sums = tally(group);
  const fields = parseMrz(truth, TODAY)?.fields;
  sums.count += 1;
  sums.values += 3;
  if (reading?.isSound) sums.sound += 1;
  if (reading?.text.join('\n') === truth.join('\n')) sums.exact += 1;
  const read = reading?.isSound ? parseMrz(reading.text, TODAY)?.fields : undefined;
  for (const name of OFFERED) if (read && read[name] !== fields?.[name]) sums.misfits += 1;
  for (const [name, value] of Object.entries(reading?.values ?? {})) {
    if (['documentNumber', 'birthDate', 'expiresOn'].includes(name)) sums.offered += 1;
    if (fields?.[name as keyof typeof fields] !== value) sums.wrong += 1;
  }
  if (reading?.names.surname === undefined) return;
  sums.names += 1;
  if (reading.names.surname === fields?.surname && reading.names.givenNames === fields.givenNames)
    sums.namesRight += 1;
}

for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const truth = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Truth;
  const file = readFileSync(`${folder}/${name.replace('.json', '.jpg')}`);
  const before = process.cpuUsage();
  const { data, info } = await sharp(file)
    .rotate()
    .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const picture = { width: info.width, height: info.height, data: new Uint8Array(data) };
  const reading = readMrz(picture, networks, { budget, today: TODAY });
  const spent = process.cpuUsage(before);
  times.push((spent.user + spent.system) / 1000);
  if (truth.lines.length === 0) {
    unreadable += 1;
    answered += Object.keys(reading?.values ?? {}).length > 0 || reading?.isSound ? 1 : 0;
    continue;
  }
  compare('all', truth.lines, reading);
  const wide = truth.unit * Math.min(1, SIDE / Math.max(truth.width, truth.height));
  compare(wide < 18 ? 'far' : 'readable', truth.lines, reading);
  if (wide >= 18) compare(truth.kind, truth.lines, reading);
  if (wide >= 18) compare(truth.format, truth.lines, reading);
  if (wide >= 18) compare(truth.turned === 0 ? 'upright' : 'turned', truth.lines, reading);
  if (verbose && !reading?.isSound) {
    process.stdout.write(
      `${name} ${truth.kind} ${truth.format} ${truth.turned} ${truth.unit.toFixed(0)} ${reading ? '' : 'none'}\n`,
    );
    for (const [index, line] of truth.lines.entries())
      process.stdout.write(`  ${line}\n  ${reading?.text[index] ?? ''}\n`);
  }
}

const share = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1).padStart(5)} %`;
const row = (cells: readonly (string | number)[]) =>
  process.stdout.write(`${cells.map((cell) => String(cell).padStart(11)).join(' ')}\n`);
row(['group', 'pictures', 'digits fit', 'exact', 'offered', 'wrong', 'held back', 'names right']);
for (const [group, sums] of tallies) {
  row([
    group,
    sums.count,
    share(sums.sound, sums.count),
    share(sums.exact, sums.count),
    share(sums.offered, sums.values),
    sums.wrong,
    sums.misfits,
    share(sums.namesRight, sums.count),
  ]);
}
times.sort((a, b) => a - b);
const at = (part: number) =>
  `${Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0)} ms`;
process.stdout.write(`without a zone: ${unreadable}, answered ${answered}\n`);
process.stdout.write(
  `CPU median ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}; peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`,
);
