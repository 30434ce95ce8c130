/** A colour in sRGB: red, green and blue from 0 to 255. */
type Rgb = readonly [number, number, number];

const WHITE = '#ffffff';
const BLACK = '#000000';

/** Contrast of text to its background by WCAG 2.2, success criterion 1.4.3 (AA). */
export const TEXT_CONTRAST = 4.5;

/**
 * Parses a colour as a person types it, with or without `#`, of three or six hexadecimal digits.
 * @returns `#rrggbb` in lower case; null if it is no colour
 */
export function parseColour(text: string): string | null {
  const digits = /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')}`;
}

/** Returns the contrast of two colours by WCAG 2.2: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminanceOf(rgbOf(one)), luminanceOf(rgbOf(other))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The colours that a page draws with a client's colour. Texts and their backgrounds keep `TEXT_CONTRAST`. */
export interface Palette {
  /** Links, borders and marks on each of the page's surfaces. */
  readonly text: string;
  /** Links below the pointer, on the same surfaces. */
  readonly textHover: string;
  /** Buttons: the client's colour itself. */
  readonly button: string;
  readonly buttonHover: string;
  /** The text on both colours of buttons. */
  readonly buttonText: string;
  /** Ticks are white, so what is behind them is dark in both themes. */
  readonly behindWhite: string;
}

/**
 * Makes the colours of a theme from a client's colour, whatever it is. Text is darkened or lightened until it can be read.
 * @param surfaces the backgrounds of texts in the theme: all light or all dark
 */
export function paletteOf(colour: string, surfaces: readonly string[]): Palette {
  const isLight = surfaces.every((surface) => contrastOf(surface, BLACK) > contrastOf(surface, WHITE));
  const far = isLight ? BLACK : WHITE;
  const text = moved(colour, far, (moving) =>
    surfaces.every((surface) => contrastOf(moving, surface) >= TEXT_CONTRAST),
  );
  const buttonText = contrastOf(colour, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK;
  const away = buttonText === WHITE ? BLACK : WHITE;
  const isExtreme = colour === away;
  return {
    text,
    textHover: mixed(text, far, HOVER),
    button: colour,
    buttonHover: mixed(colour, isExtreme ? buttonText : away, HOVER),
    buttonText,
    behindWhite: moved(colour, BLACK, (moving) => contrastOf(moving, WHITE) >= TEXT_CONTRAST),
  };
}

/** Share of the other colour in a hover. */
const HOVER = 0.2;
const STEPS = 100;

/** Moves a colour towards another in small steps until it is good. The other colour itself always is. */
function moved(colour: string, towards: string, isGood: (moving: string) => boolean): string {
  for (let step = 0; step < STEPS; step++) {
    const moving = mixed(colour, towards, step / STEPS);
    if (isGood(moving)) return moving;
  }
  return towards;
}

function mixed(colour: string, other: string, share: number): string {
  const [from, to] = [rgbOf(colour), rgbOf(other)];
  const channels = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function rgbOf(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
