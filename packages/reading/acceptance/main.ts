// npm run --prefix packages/reading acceptance -- FONT…: draws the pictures and reads them. See README.md.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { outcomesOf } from './evaluate.ts';
import { ownReader, type ReadBarcode, type ReadZone } from './reader.ts';
import { barcodeGoals, barcodeTable, markdown, zoneGoals, zoneTable } from './report.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: 'acceptance' },
    out: { type: 'string', default: join(tmpdir(), 'countersign-acceptance') },
    every: { type: 'string', default: '1' },
    only: { type: 'string' },
    reader: { type: 'string' },
    barcodes: { type: 'string' },
    budget: { type: 'string' },
  },
});
const folder = resolve(values.out);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function loaded<T>(path: string, name: string): Promise<T> {
  const module = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>;
  if (typeof module[name] !== 'function') throw new Error(`${path} exports no function ${name}.`);
  return module[name] as T;
}

/** The most memory of this program so far, in MB. `maxRSS` would count the process that started it, too. */
function peakMegabytes(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function evaluate(part: 'zones' | 'barcodes'): Promise<boolean> {
  const isZones = part === 'zones';
  const readZone = values.reader
    ? await loaded<ReadZone>(values.reader, 'readZone')
    : ownReader(values.budget === undefined ? undefined : Number(values.budget));
  const readBarcode = values.barcodes ? await loaded<ReadBarcode>(values.barcodes, 'readBarcode') : undefined;
  const outcomes = await outcomesOf(folder, isZones ? { readZone } : { readBarcode });
  const peak = peakMegabytes();
  const goals = isZones ? zoneGoals(outcomes, peak) : barcodeGoals(outcomes, peak);
  const wrong = outcomes.filter((one) => one.wrong.length > 0);
  say(`${markdown(isZones ? zoneTable(outcomes) : barcodeTable(outcomes))}\n`);
  say(markdown(goals.map(({ isMet, ...goal }) => ({ ...goal, met: isMet ? 'yes' : 'NO' }))));
  for (const one of wrong) say(`${join(folder, one.record.id)}.jpg: ${one.wrong.join('; ')}`);
  writeFileSync(join(folder, `outcomes-${part}.json`), JSON.stringify({ goals, outcomes }, undefined, 1));
  return goals.every(({ isMet }) => isMet);
}

/** In a process of its own, whose memory is the reader's: started with the same bounds as the server starts it with. */
function evaluatedApart(part: 'zones' | 'barcodes'): boolean {
  const script = [fileURLToPath(import.meta.url), ...process.argv.slice(2), '--only', part];
  const { status } = spawnSync(process.execPath, [...process.execArgv, '--max-semi-space-size=1', ...script], {
    stdio: 'inherit',
    env: { ...process.env, MALLOC_ARENA_MAX: '1' },
  });
  return status === 0;
}

const { only } = values;
if (only === 'zones' || only === 'barcodes') {
  process.exitCode = (await evaluate(only)) ? 0 : 1;
} else {
  if (only !== 'evaluate') {
    if (positionals.length === 0) throw new Error('Name the path of at least one OCR-B font.');
    // Loaded only here: a process that reads is measured without the encoders.
    const { drawSet } = await import('./draw.ts');
    await drawSet({ seed: values.seed, fonts: positionals, folder, every: Number(values.every), say });
  }
  if (only !== 'draw') {
    if (!values.barcodes) say('No reader of barcodes given (--barcodes MODULE): barcodes are not measured.');
    const parts = values.barcodes ? (['zones', 'barcodes'] as const) : (['zones'] as const);
    process.exitCode = parts.map(evaluatedApart).every(Boolean) ? 0 : 1;
  }
}
