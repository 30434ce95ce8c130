import { paletteOf } from '@countersign/domain/clients';

// The values are those of the pages' tokens. Mail programs know neither custom properties nor `rem`.

/** Font sizes and line heights in pixels. */
export const TYPE = { small: [14, 20], text: [16, 24], title: [24, 32] } as const;

/** Distances in pixels. */
export const SPACE = { s1: 4, s2: 8, s3: 12, s4: 16, s6: 24, s8: 32 } as const;

/** Radii of corners in pixels. */
export const RADIUS = { control: 6, card: 10 } as const;

export const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif";

/** The look of a mail program. */
export type Look = 'light' | 'dark';

/** The colours of a look, without those of a client. */
interface Colours {
  readonly page: string;
  readonly card: string;
  readonly line: string;
  readonly text: string;
  readonly text2: string;
  /** Links. */
  readonly accent: string;
  readonly button: string;
  readonly onButton: string;
}

export const COLOURS: Readonly<Record<Look, Colours>> = {
  light: {
    page: '#f6f7f9',
    card: '#ffffff',
    line: '#e1e4ea',
    text: '#171a21',
    text2: '#434a58',
    accent: '#2a49cf',
    button: '#2f4fd8',
    onButton: '#ffffff',
  },
  dark: {
    page: '#0f1115',
    card: '#171a20',
    line: '#2b313c',
    text: '#eef0f4',
    text2: '#bfc6d1',
    accent: '#9db0ff',
    button: '#9db0ff',
    onButton: '#0f1115',
  },
};

/** The colours of links and of the button. */
export interface Accents {
  readonly link: string;
  readonly button: string;
  readonly buttonText: string;
  readonly buttonBorder: string;
}

/** Returns the colours of links and of the button, of a client's colour or, without one (null), of the service. */
export function accentsOf(colour: string | null, look: Look): Accents {
  const { page, card, accent, button, onButton } = COLOURS[look];
  if (colour === null) return { link: accent, button, buttonText: onButton, buttonBorder: button };
  const { text, button: own, buttonText } = paletteOf(colour, [page, card]);
  return { link: text, button: own, buttonText, buttonBorder: text };
}
