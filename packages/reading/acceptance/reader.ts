import { readFileSync } from 'node:fs';
import { createNetworks, type DescribedLayer, type GreyPicture, type MrzReading, readMrz } from '../src/index.ts';

/** What the evaluation needs of a reader of zones. A module with a function `readZone` can take its place. */
export type ReadZone = (
  picture: GreyPicture,
) => Pick<MrzReading, 'values' | 'names' | 'isSound' | 'text'> | undefined;

/** What was read of a PDF417 barcode: its text, or elements by their three letters (DAQ, DBB, DBA). */
export interface BarcodeReading {
  readonly text?: string;
  readonly elements?: Readonly<Record<string, string | undefined>>;
}

/** A module of `--barcodes` exports a function `readBarcode` of this type. */
export type ReadBarcode = (picture: GreyPicture) => Promise<BarcodeReading | undefined>;

/** The day on which documents of a set are read. */
const TODAY = '2026-06-01';

/** The reader of this package with its weights. */
export function ownReader(budget: number | undefined): ReadZone {
  const folder = new URL('../weights/', import.meta.url);
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as {
    layers: DescribedLayer[];
  };
  const networks = createNetworks(readFileSync(new URL('mrz.bin', folder)), manifest.layers);
  return (picture) => readMrz(picture, networks, { budget, today: TODAY });
}
