import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import opentype from 'opentype.js';

/** The pitch of a character in the zone, in millimetres: ten to the inch. */
export const PITCH = 2.54;

/** How a printer sets the zone: heavier or wider than the font, slanted, its ink uneven. */
export interface Press {
  /** Millimetres that ink adds around each stroke, on both sides together. */
  readonly weight: number;
  readonly width: number;
  /** Degrees. */
  readonly slant: number;
  readonly ink: string;
  /** Opacity of each character: worn ink differs from one to the next. */
  readonly opacity: () => number;
  /** Millimetres by which a character leaves its place. */
  readonly shake: () => number;
}

/** A font with characters of one width, read from a file: none is shipped. */
export class Lettering {
  private readonly font: opentype.Font;
  private readonly outlines = new Map<string, string>();

  constructor(path: string) {
    const file = Buffer.from(readFileSync(path));
    this.font = opentype.parse(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
  }

  /** The outline of a character whose place is 1,000 wide. */
  private outlineOf(character: string): string {
    let outline = this.outlines.get(character);
    if (outline === undefined) {
      const size = (1000 * this.font.unitsPerEm) / (this.font.charToGlyph('A').advanceWidth ?? 1000);
      outline = this.font.getPath(character, 0, 0, size).toPathData(0);
      this.outlines.set(character, outline);
    }
    return outline;
  }

  /** Draws a line from its first character's left edge and its baseline, in millimetres. */
  line(text: string, x: number, y: number, press: Press, pitch: number = PITCH): string {
    const scale = pitch / 1000;
    return [...text]
      .map((character, i) => {
        const faded = press.opacity().toFixed(2);
        const place = `translate(${(x + i * pitch + press.shake()).toFixed(3)} ${(y + press.shake()).toFixed(3)})`;
        const shape = `skewX(${-press.slant}) scale(${(scale * press.width).toFixed(6)} ${scale.toFixed(6)})`;
        const ink = `fill="${press.ink}" stroke="${press.ink}" stroke-width="${(press.weight / scale).toFixed(1)}" fill-opacity="${faded}" stroke-opacity="${faded}"`;
        return `<path transform="${place} ${shape}" d="${this.outlineOf(character)}" ${ink} stroke-linejoin="round"/>`;
      })
      .join('');
  }
}
