import { accentsOf, COLOURS, FONT, type Look, RADIUS, SPACE, TYPE } from './theme.ts';

/** The parts of a mail that have colours. A style sheet names them by class. */
type Part = 'page' | 'card' | 'text' | 'muted' | 'link' | 'button' | 'buttonText' | 'mark' | 'logo';

type Colouring = Readonly<Record<Part, string>>;

/** Returns the colours of each part in a look. */
function colouringOf(colour: string | null, look: Look): Colouring {
  const { page, card, line, text, text2, button: ofService, onButton } = COLOURS[look];
  const { link, button, buttonText, buttonBorder } = accentsOf(colour, look);
  return {
    page: `background-color:${page}`,
    card: `background-color:${card};border-color:${line}`,
    text: `color:${text}`,
    muted: `color:${text2}`,
    link: `color:${link}`,
    button: `background-color:${button};border-color:${buttonBorder}`,
    buttonText: `color:${buttonText}`,
    mark: `background-color:${ofService};color:${onButton}`,
    // Logos are made for a light background. The name in their place needs a dark colour on it.
    logo: `color:${COLOURS.light.text}${look === 'dark' ? `;background-color:${COLOURS.light.card};padding:${SPACE.s1}px ${SPACE.s2}px` : ''}`,
  };
}

/** The styles of a mail. */
export interface MailStyles {
  /** The colours of the light look, on each element: some mail programs drop style sheets. */
  readonly colours: Colouring;
  /** The colours of the dark look, and the layout of a phone. */
  readonly sheet: string;
}

/** Width below which the button is as wide as its card. */
const PHONE_PX = 480;

/** Makes the styles of a mail with a client's colour; null without one. */
export function mailStyles(colour: string | null): MailStyles {
  const dark = Object.entries(colouringOf(colour, 'dark'))
    .map(([part, declarations]) => `.${part}{${important(declarations)}}`)
    .join('');
  const phone = `.card{${important(`padding:${SPACE.s6}px ${SPACE.s4}px`)}}.action{width:100%!important}`;
  return {
    colours: colouringOf(colour, 'light'),
    sheet: [
      ':root{color-scheme:light dark;supported-color-schemes:light dark}',
      `@media (max-width:${PHONE_PX}px){${phone}}`,
      `@media (prefers-color-scheme:dark){${dark}}`,
    ].join(''),
  };
}

function important(declarations: string): string {
  return declarations.replaceAll(/(?=;|$)/g, '!important');
}

/** Returns the declarations of a text's size. Tables of some mail programs do not inherit it. */
function type(size: keyof typeof TYPE): string {
  const [fontSize, lineHeight] = TYPE[size];
  return `font-family:${FONT};font-size:${fontSize}px;line-height:${lineHeight}px`;
}

/** The places of a mail. */
type Box =
  | 'body'
  | 'outer'
  | 'column'
  | 'header'
  | 'name'
  | 'logo'
  | 'mark'
  | 'card'
  | 'title'
  | 'text'
  | 'more'
  | 'list'
  | 'item'
  | 'action'
  | 'button'
  | 'buttonText'
  | 'small'
  | 'until'
  | 'notes'
  | 'note';

/** Declarations of places that do not depend on the mail. */
export const BOX: Readonly<Record<Box, string>> = {
  body: 'margin:0;padding:0',
  outer: `padding:${SPACE.s8}px ${SPACE.s4}px`,
  column: 'width:100%;max-width:560px;text-align:left',
  header: `padding:0 0 ${SPACE.s4}px`,
  name: `${type('text')};font-weight:600;overflow-wrap:anywhere`,
  logo: `display:block;border:0;border-radius:${RADIUS.control}px;${type('small')};font-weight:600`,
  mark: `border-radius:${RADIUS.control}px;${type('text')};font-weight:600`,
  card: `padding:${SPACE.s8}px;border-width:1px;border-style:solid;border-radius:${RADIUS.card}px;overflow-wrap:anywhere`,
  title: `margin:0 0 ${SPACE.s4}px;${type('title')};font-weight:600;letter-spacing:-0.01em`,
  text: `margin:0 0 ${SPACE.s4}px;${type('text')}`,
  more: `margin:0;${type('text')}`,
  list: `margin:0 0 ${SPACE.s4}px;padding:0 0 0 ${SPACE.s6}px;${type('text')}`,
  item: `margin:0 0 ${SPACE.s2}px`,
  action: `margin:${SPACE.s8}px 0 ${SPACE.s3}px`,
  button: `border-width:1px;border-style:solid;border-radius:${RADIUS.control}px;mso-padding-alt:${SPACE.s3}px ${SPACE.s6}px`,
  buttonText: `display:block;padding:${SPACE.s3 - 1}px ${SPACE.s6}px;${type('text')};font-weight:600;text-align:center;text-decoration:none`,
  small: `margin:0;${type('small')}`,
  until: `margin:${SPACE.s6}px 0 0;${type('small')}`,
  notes: `padding:${SPACE.s6}px 0 0;overflow-wrap:anywhere`,
  note: `margin:0 0 ${SPACE.s3}px;${type('small')}`,
};
