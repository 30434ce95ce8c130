import type { MrzBox } from '@countersign/domain';

/** Where a picture shows the portrait of a document. The unit is the height of the picture, so its width is `pictureWidth`. */
export interface PortraitPlace {
  readonly pictureWidth: number;
  /** The middle of the place. */
  readonly x: number;
  readonly y: number;
  /** Of the place, once the picture is turned back. */
  readonly width: number;
  readonly height: number;
  /** How the document is turned, clockwise, in fractions of a turn. */
  readonly rotation: number;
}

/**
 * The portrait in lengths of the zone's lines, from the start and the top of the zone, upwards (ICAO Doc 9303, parts 4, 6 and 7: visual
 * zone V, left above the machine-readable zone).
 */
const PORTRAIT = { left: -0.02, right: 0.39, bottom: 0.04, top: 0.5 };

/** What is shown around it, because documents differ: also in lengths of the lines. */
const MARGIN = 0.03;

/** Lines are at least so many times as long as the zone is high. Three lines, which have the portrait on the other side, are 5 times. */
const TWO_LINES_MIN = 7;

/** Shorter lines, in heights of the picture, cannot have been read. */
const LENGTH_MIN = 0.15;

/** At less, the length does not follow from the box: it lies across the picture. The cosine of twice the turn. */
const STRAIGHT_MIN = 0.5;

/**
 * Returns where the picture shows the document's portrait. Null for a zone of three lines, which is on the back, for a box that says too
 * little, and for a portrait that is not wholly in the picture.
 */
export function portraitPlaceOf({ x, y, width, height, rotation, aspect }: MrzBox): PortraitPlace | null {
  if (aspect === undefined || x <= 0 || y <= 0 || x + width >= 1 || y + height >= 1) return null;
  const turn = 2 * Math.PI * rotation;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const straight = Math.cos(2 * turn);
  if (Math.abs(straight) < STRAIGHT_MIN) return null;
  // The box is the upright rectangle around the turned zone.
  const length = (width * aspect * Math.abs(cos) - height * Math.abs(sin)) / straight;
  const thickness = (height * Math.abs(cos) - width * aspect * Math.abs(sin)) / straight;
  if (length < LENGTH_MIN || thickness <= 0 || length / thickness < TWO_LINES_MIN) return null;

  /** A point right of the zone's start and above its top, in lengths, as a point of the picture. */
  const at = (right: number, up: number): readonly [number, number] => {
    const [u, v] = [(right - 0.5) * length, -up * length - thickness / 2];
    return [(x + width / 2) * aspect + u * cos - v * sin, y + height / 2 + u * sin + v * cos];
  };
  const { left, right, bottom, top } = PORTRAIT;
  const corners = [at(left, bottom), at(right, bottom), at(left, top), at(right, top)];
  const isWhole = corners.every(([cx, cy]) => cx >= 0 && cx <= aspect && cy >= 0 && cy <= 1);
  if (!isWhole) return null;
  const [middleX, middleY] = at((left + right) / 2, (bottom + top) / 2);
  return {
    pictureWidth: aspect,
    x: middleX,
    y: middleY,
    width: (right - left + 2 * MARGIN) * length,
    height: (top - bottom + 2 * MARGIN) * length,
    rotation,
  };
}
