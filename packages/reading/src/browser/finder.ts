/**
 * The script that browsers load to find zones in the pictures of a camera. `scripts/finder-bundle.mjs` bundles this module with the finder's
 * weights; it does not run without them.
 */
import { type Course, pointAt } from '../lines/course.ts';
import { findLines } from '../lines/find-lines.ts';
import { createNetworks } from '../network/networks.ts';
import type { DescribedLayer } from '../network/weights.ts';
import type { GreyPicture } from '../picture.ts';

/** The finder's weights in base64, and the layers in them. The bundler inserts both values. */
declare const FINDER_CONTENT: string;
declare const FINDER_LAYERS: readonly DescribedLayer[];
declare const atob: (text: string) => string;

/** The ends of a line of text, in pixels. */
export interface SeenLine {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

const networks = createNetworks(
  Uint8Array.from(atob(FINDER_CONTENT), (character) => character.charCodeAt(0)),
  FINDER_LAYERS,
);

function seenLine(course: Course): SeenLine {
  return { from: pointAt(course, course.from, 0), to: pointAt(course, course.to, 0) };
}

/**
 * Returns the lines of each machine-readable zone in a picture, from the uppermost on in one of the two directions in which they may run.
 * @param side length in pixels of the longer side of the copy that is searched
 */
export function findZones(picture: GreyPicture, side: number): (readonly SeenLine[])[] {
  return findLines(picture, networks, side).map((bundle) => bundle.map(seenLine));
}
