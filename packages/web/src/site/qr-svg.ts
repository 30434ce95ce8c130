import { encodeQR } from 'qr';

/** Four modules of white around it, as ISO/IEC 18004 asks: without them, cameras do not find it on a dark page. */
const QUIET_ZONE = 4;

/** A QR code as the parts of an SVG. */
export interface QrDrawing {
  /** Width and height in modules, quiet zone included. */
  readonly size: number;
  /** The dark modules as path data, one unit a module. */
  readonly path: string;
}

/** Draws the text as a QR code. Medium correction: it is read from a screen, so nothing of it is dirty or torn. */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  return { size: rows.length, path: rows.map(rowPath).join('') };
}

/** One line for each run of dark modules: `M4 4h7v1h-7z`. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    const start = x;
    while (row[x] === true) x += 1;
    const length = x - start;
    if (length > 0) path += `M${start} ${y}h${length}v1h-${length}z`;
  }
  return path;
}
