import { type Palette, paletteOf } from '@countersign/domain/clients';
import { Hono } from 'hono';
import type { Coloured } from './appearance.ts';
import { requireAllowed } from './errors.tsx';
import type { WebEnv } from './page.ts';
import type { Site } from './site.ts';

/** Backgrounds of texts in each theme, as in `site.css`. */
export const SURFACES = {
  light: ['#fbfbfa', '#ffffff', '#eef3fa'],
  dark: ['#14171b', '#1b1f25', '#1c2735'],
} as const;

const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves stylesheets and logos. They are public: each holder of a link sees them, and messengers show them beside it. */
export function appearanceRoutes({ options }: Site): Hono<WebEnv> {
  const { countersign, clock, clientAddress } = options;
  const { appearances, rateLimits } = countersign;
  const app = new Hono<WebEnv>();
  app.get('/:coloured{pages|previews}/:name{[0-9a-f]{6}\\.css}', ({ req, body }) => {
    const { coloured, name } = req.param();
    const sheet = sheetOf(`#${name.slice(0, '1d4f91'.length)}`, coloured === 'previews' ? 'previews' : 'pages');
    return body(sheet, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': FOR_EVER });
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

/** Returns the rules of a colour: they set the variables of Pico that the client's colour replaces. */
function sheetOf(colour: string, coloured: Coloured): string {
  const light = variablesOf(paletteOf(colour, SURFACES.light));
  const dark = variablesOf(paletteOf(colour, SURFACES.dark));
  return coloured === 'previews'
    ? `.appearance-preview.light{${light}}\n.appearance-preview.dark{${dark}}\n`
    : `:root:not([data-theme="dark"]){${light}}\n@media (prefers-color-scheme:dark){:root:not([data-theme]){${dark}}}\n`;
}

function variablesOf(palette: Palette): string {
  const { text, textHover, button, buttonHover, buttonText, behindWhite } = palette;
  const values = {
    '--pico-primary': text,
    '--pico-primary-hover': textHover,
    '--pico-primary-underline': `${text}73`,
    '--pico-primary-focus': `${text}59`,
    '--pico-primary-background': button,
    '--pico-primary-hover-background': buttonHover,
    '--pico-primary-border': text,
    '--pico-primary-hover-border': textHover,
    '--pico-primary-inverse': buttonText,
    '--pico-progress-color': text,
    '--site-behind-white': behindWhite,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
}
