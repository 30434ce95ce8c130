import type { GreyPicture } from '@countersign/reading';
import type { Region } from './cut.ts';

/** Pixels of the side of a cell: edges are summed up in cells. */
const CELL = 16;
/** Only every second pixel of every second row is read. */
const STEP = 2;
/** The share of a cell's edges that must lie in one direction. Rows of a barcode have edges too, across its bars. */
const COHERENCE_MIN = 0.2;

/** Main directions that are looked for, and the parts of half a turn in which they are counted. */
const DIRECTIONS_MAX = 3;
const PARTS = 36;
/** How far a cell's direction may differ from the main one, as a doubled angle in radians: 12° of the picture. */
const ANGLE_TOLERANCE = Math.PI / 7.5;

/** A cell of a barcode has at least this share of a strong cell's edges. Only a tenth of the cells have more edges than a strong cell. */
const STRENGTH_MIN = 0.2;
const STRONG = 0.9;
/** Cells belong together if at most this many others are between them. */
const GAP = 1;
/** The smallest barcode in cells, and cells that are added around one for its quiet zone. */
const CELLS_MIN = 12;
const MARGIN = 1;
const REGIONS_MAX = 4;

/** The edges of a cell. Their direction is that of the vector, which points at the doubled angle, and its length is how much they agree. */
interface Cell {
  readonly column: number;
  readonly row: number;
  readonly along: number;
  readonly cross: number;
  readonly strength: number;
}

/**
 * Returns the parts of a picture that may be barcodes, those with the most edges first: areas with many edges in one direction. Each is turned so
 * that its bars stand upright.
 */
export function barcodeRegions(picture: GreyPicture): Region[] {
  let cells = stripedCells(picture);
  const pieces: Cell[][] = [];
  for (let i = 0; i < DIRECTIONS_MAX && cells.length > 0; i += 1) {
    const direction = mainDirection(cells);
    const isAlong = (cell: Cell) => Math.abs(difference(directionOf(cell), direction)) < ANGLE_TOLERANCE;
    pieces.push(...piecesOf(strongest(cells.filter(isAlong))));
    cells = cells.filter((cell) => !isAlong(cell));
  }
  return pieces
    .filter(({ length }) => length >= CELLS_MIN)
    .sort((a, b) => totalOf(b).strength - totalOf(a).strength)
    .slice(0, REGIONS_MAX)
    .map(regionAround);
}

function stripedCells(picture: GreyPicture): Cell[] {
  const [columns, rows] = [Math.floor(picture.width / CELL), Math.floor(picture.height / CELL)];
  const cells: Cell[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const { along, cross, all } = edgesOf(picture, column * CELL, row * CELL);
      const strength = Math.hypot(along, cross);
      if (strength > COHERENCE_MIN * all) cells.push({ column, row, along, cross, strength });
    }
  }
  return cells;
}

/** Sums up the edges of a cell: their squares as vectors of the doubled angle, so that both sides of a bar point the same way. */
function edgesOf({ width, data }: GreyPicture, left: number, top: number) {
  let [along, cross, all] = [0, 0, 0];
  for (let y = top + 1; y < top + CELL - 1; y += STEP) {
    const end = y * width + left + CELL - 1;
    for (let i = y * width + left + 1; i < end; i += STEP) {
      const falling = (data[i + width + 1] ?? 0) - (data[i - width - 1] ?? 0);
      const rising = (data[i - width + 1] ?? 0) - (data[i + width - 1] ?? 0);
      // Weights of 3, 10 and 3 prefer no direction.
      const x = 3 * (falling + rising) + 10 * ((data[i + 1] ?? 0) - (data[i - 1] ?? 0));
      const y = 3 * (falling - rising) + 10 * ((data[i + width] ?? 0) - (data[i - width] ?? 0));
      along += x * x - y * y;
      cross += 2 * x * y;
      all += x * x + y * y;
    }
  }
  return { along, cross, all };
}

/** Returns the direction in which most edges lie, as a doubled angle in radians. */
function mainDirection(cells: readonly Cell[]): number {
  const counted = new Float64Array(PARTS);
  const partOf = (direction: number) => Math.floor((direction / (2 * Math.PI) + 1) * PARTS) % PARTS;
  for (const cell of cells) {
    // The parts beside it count as well, because a direction may lie between two.
    const part = partOf(directionOf(cell));
    for (const near of [part, (part + 1) % PARTS, (part + PARTS - 1) % PARTS]) {
      counted[near] = (counted[near] ?? 0) + cell.strength;
    }
  }
  const most = counted.indexOf(Math.max(...counted));
  return ((most + 0.5) / PARTS) * 2 * Math.PI;
}

function strongest(cells: readonly Cell[]): Cell[] {
  const strengths = cells.map(({ strength }) => strength).sort((a, b) => a - b);
  const least = STRENGTH_MIN * (strengths[Math.floor(STRONG * strengths.length)] ?? 0);
  return cells.filter(({ strength }) => strength >= least);
}

/** Groups neighbouring cells. */
function piecesOf(cells: readonly Cell[]): Cell[][] {
  const keyOf = (column: number, row: number) => `${column},${row}`;
  const left = new Map(cells.map((cell) => [keyOf(cell.column, cell.row), cell]));
  const pieces: Cell[][] = [];
  for (const first of cells) {
    if (!left.delete(keyOf(first.column, first.row))) continue;
    const piece = [first];
    // Grows while the loop runs.
    for (const { column, row } of piece) {
      for (let y = row - GAP - 1; y <= row + GAP + 1; y += 1) {
        for (let x = column - GAP - 1; x <= column + GAP + 1; x += 1) {
          const near = left.get(keyOf(x, y));
          if (near !== undefined) piece.push(near);
          left.delete(keyOf(x, y));
        }
      }
    }
    pieces.push(piece);
  }
  return pieces;
}

function totalOf(piece: readonly Cell[]): { readonly direction: number; readonly strength: number } {
  const along = piece.reduce((sum, cell) => sum + cell.along, 0);
  const cross = piece.reduce((sum, cell) => sum + cell.cross, 0);
  return { direction: Math.atan2(cross, along), strength: Math.hypot(along, cross) };
}

function regionAround(piece: readonly Cell[]): Region {
  const angle = totalOf(piece).direction / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const span = (values: readonly number[]) => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return { middle: ((least + most) / 2) * CELL, length: (most - least + 1 + 2 * MARGIN) * CELL };
  };
  const across = span(piece.map(({ column, row }) => (column + 0.5) * cos + (row + 0.5) * sin));
  const down = span(piece.map(({ column, row }) => (row + 0.5) * cos - (column + 0.5) * sin));
  return {
    x: across.middle * cos - down.middle * sin,
    y: across.middle * sin + down.middle * cos,
    width: across.length,
    height: down.length,
    angle: (angle * 180) / Math.PI,
  };
}

function directionOf({ along, cross }: Cell): number {
  return Math.atan2(cross, along);
}

/** The difference of two angles, from -π to π. */
function difference(one: number, other: number): number {
  return Math.atan2(Math.sin(one - other), Math.cos(one - other));
}
