import type { Layout, Values } from './zone.ts';

/** What is known of a picture: the truth that readers are compared with. */
export interface PictureRecord {
  readonly id: string;
  readonly group: 'document' | 'foreign' | 'other' | 'collision' | 'licence';
  /** Within the group: how it was photographed, what it is, or its fault. */
  readonly kind: string;
  /** Degrees by which the camera was turned. */
  readonly turn: number;
  readonly width: number;
  readonly height: number;
  /** Whether a reader is expected to read it. */
  readonly isReadable: boolean;
  readonly zone?: ZoneTruth;
  readonly barcode?: BarcodeTruth;
}

export interface ZoneTruth {
  readonly layout: Layout;
  readonly lines: readonly string[];
  /** The values that may be offered: anything else is wrong. */
  readonly values: Values;
  readonly names: { readonly surname: string; readonly givenNames: string };
  /** Pixels of the narrowest character, and with the longest side at most 2,200 pixels. */
  readonly pitch: number;
  readonly pitchShrunk: number;
  readonly font: string;
}

export interface BarcodeTruth {
  readonly text: string;
  readonly isSound: boolean;
  readonly elements: Readonly<Record<string, string>>;
  /** Pixels of a module, degrees, modules of blur, and the quality of the file. */
  readonly module: number;
  readonly tilt: number;
  readonly blur: number;
  readonly quality: number;
}

/** The file of all records in the folder of a set. */
export const RECORDS = 'records.json';
