import type { FC } from 'hono/jsx';
import { encodeQR } from 'qr';

/** Shows a text as a QR code. Dark on white in every colour scheme: cameras need that. */
export const QrCode: FC<{ text: string; alt: string }> = ({ text, alt }) => {
  const { size, path } = drawQr(text);
  return (
    <svg class="qr-code" role="img" aria-label={alt} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
};

/** White modules around the code, as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4;

/** A QR code as the parts of an SVG. */
export interface QrDrawing {
  /** Width and height in modules, quiet zone included. */
  readonly size: number;
  /** The dark modules as path data, one unit a module. */
  readonly path: string;
}

/** Draws a text as a QR code. Medium error correction is enough on a screen. */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  return { size: rows.length, path: rows.map(rowPath).join('') };
}

/** Draws one line for each run of dark modules: `M4 4h7v1h-7z`. */
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
