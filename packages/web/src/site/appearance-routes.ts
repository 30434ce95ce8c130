import { paletteOf } from '@countersign/domain/clients';
import { type Context, Hono } from 'hono';
import { WITHOUT_COLOUR } from './appearance.ts';
import { requireAllowed } from './errors.ts';
import type { WebEnv } from './page.ts';
import type { Site } from './site.ts';
import { type Tokens, tokensOf } from './tokens.ts';

/** Tokens of the backgrounds on which pages write with the client's colour. */
const SURFACES = ['page', 'card', 'sunken', 'info-soft'] as const;

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves stylesheets and logos. They are public: each holder of a link sees them, and messengers show them beside it. */
export function appearanceRoutes({ options, assets }: Site): Hono<WebEnv> {
  const { countersign, clock, clientAddress } = options;
  const { appearances, rateLimits } = countersign;
  const tokens = tokensOf(assets.textOf('tokens.css'));
  const app = new Hono<WebEnv>();
  const answerSheet = (context: Context<WebEnv>, sheet: string) =>
    context.body(sheet, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': FOR_EVER });
  app.get(`/previews/${WITHOUT_COLOUR}.css`, (context) => answerSheet(context, previewSheetOf(null, tokens)));
  app.get('/:coloured{pages|previews}/:name{[0-9a-f]{6}\\.css}', (context) => {
    const { coloured, name } = context.req.param();
    const colour = `#${name.slice(0, '1d4f91'.length)}`;
    return answerSheet(context, (coloured === 'previews' ? previewSheetOf : pageSheetOf)(colour, tokens));
  });
  app.get('/logos/:clientId/:name{[0-9a-f]{64}\\.png}', async (context) => {
    requireAllowed(await rateLimits.forLogo(clientAddress(context)), clock.now());
    const { clientId, name } = context.req.param();
    const content = await appearances.logo(clientId, name.slice(0, -'.png'.length));
    if (content === null) return context.notFound();
    return context.body(Uint8Array.from(content), 200, { 'Content-Type': 'image/png', 'Cache-Control': FOR_EVER });
  });
  return app;
}

/** Returns the rules of a client's page: they set the tokens that its colour replaces. */
function pageSheetOf(colour: string, { light, dark }: Tokens): string {
  return `:root{${rulesOf(paletteTokens(colour, light))}}\n@media screen and (prefers-color-scheme:dark){:root{${rulesOf(paletteTokens(colour, dark))}}}\n`;
}

/** Returns the rules of a preview: all colours of each theme, with those that the client's colour replaces. */
function previewSheetOf(colour: string | null, { light, dark }: Tokens): string {
  const coloursWith = (theme: ReadonlyMap<string, string>): string =>
    rulesOf([...coloursOf(theme), ...(colour === null ? [] : paletteTokens(colour, theme))]);
  return `.appearance-preview.light{${coloursWith(light)}}\n.appearance-preview.dark{${coloursWith(dark)}}\n`;
}

type Token = readonly [name: string, value: string];

function paletteTokens(colour: string, theme: ReadonlyMap<string, string>): readonly Token[] {
  const surfaces = surfacesOf(theme);
  const { text, textHover, button, buttonHover, buttonText, behindWhite } = paletteOf(colour, surfaces);
  return [
    ['accent', text],
    ['accent-hover', textHover],
    ['button', button],
    ['button-hover', buttonHover],
    ['on-button', buttonText],
    ['behind-white', behindWhite],
  ];
}

/** The backgrounds of a theme on which pages write with the client's colour. */
export function surfacesOf(theme: ReadonlyMap<string, string>): readonly string[] {
  return SURFACES.map((name) => theme.get(name) ?? '');
}

function coloursOf(theme: ReadonlyMap<string, string>): readonly Token[] {
  return [...theme].filter(([, value]) => value.startsWith('#'));
}

function rulesOf(tokens: readonly Token[]): string {
  return tokens.map(([name, value]) => `--${name}:${value}`).join(';');
}
