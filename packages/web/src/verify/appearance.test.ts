import { readFileSync } from 'node:fs';
import { DEFAULT_REQUEST_RATES, type SubjectType } from '@countersign/domain';
import { contrastOf, paletteOf } from '@countersign/domain/clients';
import { describe, expect, it } from 'vitest';
import { type GivenFlow, givenFlow, walk } from '../../test-support/flow.ts';
import { pageDocument } from '../../test-support/page-document.ts';
import type { Shown } from '../../test-support/subject-browser.ts';
import { BASE, ORIGIN } from '../../test-support/subject-site.ts';
import { surfacesOf } from '../site/appearance-routes.ts';
import { tokensOf } from '../site/tokens.ts';

/** A PNG of 2 × 1 pixels. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADUlEQVR4nGP4z8DwHwQBEPgD/U6VwW8AAAAASUVORK5CYII=',
  'base64',
);

async function* once(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content;
}

const APPEARANCE = {
  displayName: 'Zoë & Söhne',
  colour: '#ffd400',
  supportAddress: 'help@shop.example',
  privacyAddress: 'https://shop.example/privacy',
};

async function givenAppearance(type: SubjectType = 'kyc', language = 'en'): Promise<GivenFlow> {
  const given = await givenFlow({ type, language });
  await given.countersign.appearances.change(given.clientId, APPEARANCE);
  await given.countersign.appearances.replaceLogo(given.clientId, { content: once(PNG) });
  return given;
}

const contentOf = ({ document }: Shown, selector: string): string | null | undefined =>
  document.querySelector(selector)?.getAttribute('content');

const titleOf = ({ document }: Shown) => document.querySelector('title')?.textContent;

function expectAppearance({ document }: Shown): void {
  const logo = document.querySelector('header .appearance-logo');
  expect(logo?.getAttribute('alt')).toBe(APPEARANCE.displayName);
  expect([logo?.getAttribute('width'), logo?.getAttribute('height')]).toEqual(['2', '1']);
  expect(document.querySelector('header')?.textContent).not.toContain('Countersign');
  const links = [...document.querySelectorAll('footer a')].map((link) => link.getAttribute('href'));
  expect(links).toEqual(['mailto:help@shop.example', 'https://shop.example/privacy']);
  expect(document.querySelector('footer')?.textContent).toContain('Countersign');
  const sheets = [...document.querySelectorAll('link[rel="stylesheet"]')].map((link) => link.getAttribute('href'));
  expect(sheets.at(-1)).toBe(`${BASE}/faces/pages/ffd400.css`);
}

describe.each([
  ['kyc', 'en', 'Zoë & Söhne asks you to verify your identity'],
  ['kyc', 'de', 'Zoë & Söhne bittet Sie, Ihre Identität zu bestätigen'],
  ['kyb', 'en', 'Zoë & Söhne asks you to verify your business'],
  ['kyb', 'de', 'Zoë & Söhne bittet Sie, Ihr Unternehmen prüfen zu lassen'],
] as const)('the appearance of a client: %s, %s', (type, language, title) => {
  it('is on the first page, in its title and on the last page', async () => {
    const given = await givenAppearance(type, language);
    const first = await given.browser.open(await given.link());
    expect(first.heading).toBe(title);
    expect(titleOf(first)).toBe(title);
    expect(contentOf(first, 'meta[property="og:title"]')).toBe(title);
    expectAppearance(first);

    await walk(given, await given.start());
    const last = await given.browser.open(given.address());
    expectAppearance(last);
    expect(titleOf(last)).toMatch(/ – Zoë & Söhne$/);
    const consent = (await given.read()).steps.consent?.answers;
    expect(consent).toMatchObject({ version: `${type}-2026-11k`, locale: language });
  });

  it('is in the preview of a pasted link, which needs no cookie', async () => {
    const given = await givenAppearance(type, language);
    const preview = await given.anotherBrowser().open(await given.link(), { 'User-Agent': 'WhatsApp/2.2' });
    expect(preview.status).toBe(200);
    expect(preview.heading).toBe(title);
    expect(contentOf(preview, 'meta[property="og:title"]')).toBe(title);
    expect(contentOf(preview, 'meta[property="og:site_name"]')).toBe('Zoë & Söhne');
    const image = contentOf(preview, 'meta[property="og:image"]') ?? '';
    expect(image).toMatch(/^https:\/\/[^/]+\/.*\/faces\/logos\/[^/]+\/[0-9a-f]{64}\.png$/);
    const below = image.slice(`${ORIGIN}${BASE}`.length);
    expect((await given.app.request(below)).headers.get('Content-Type')).toBe('image/png');
    expect(preview.document.querySelector('.main-action')?.getAttribute('href')).toBe(given.address());
  });

  it('is in the consent: who asks, and whom to ask about the data', async () => {
    const given = await givenAppearance(type, language);
    const page = await given.start();
    const text = page.document.querySelector('.consent-text');
    expect(text?.textContent).toContain('Zoë & Söhne');
    expect(text?.querySelector('a')?.getAttribute('href')).toBe('https://shop.example/privacy');
  });
});

it('a person and a business agree to texts of their own', async () => {
  const [person, business] = await Promise.all(
    (['kyc', 'kyb'] as const).map(async (type) => (await (await givenAppearance(type)).start()).document),
  );
  const labels = [person, business].map((page) => page?.querySelector('#page-form')?.textContent);
  expect(labels[0]).toContain('my details');
  expect(labels[1]).toContain('for the business');
});

it('a client without an appearance appears by its name', async () => {
  const given = await givenFlow();
  const first = await given.browser.open(await given.link());
  expect(first.heading).toBe('Acme Bank asks you to verify your identity');
  expect(first.document.querySelector('header .appearance-name')?.textContent).toBe('Acme Bank');
  expect(first.html).not.toMatch(/og:image|\/faces\//);
});

it('a preview says nothing of the status of a verification that is over', async () => {
  const given = await givenAppearance();
  await walk(given, await given.start());
  const agent = { 'User-Agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' };
  const preview = await given.anotherBrowser().open(await given.link(), agent);
  expect(preview.heading).toBe('Verification for Zoë & Söhne');
  expect(preview.html).not.toContain('received');
});

it('the preview of an invalid link names no client', async () => {
  const given = await givenAppearance();
  const link = await given.link();
  const page = await given.browser.open(`${link.slice(0, -3)}abc`, { 'User-Agent': 'Twitterbot/1.0' });
  expect(page.status).toBe(404);
  expect(page.html).not.toMatch(/Zoë|Acme|\/faces\//);
});

const TOKENS = tokensOf(readFileSync(new URL('../../assets/tokens.css', import.meta.url), 'utf8'));
const COLOUR: string = expect.stringMatching(/^#[0-9a-f]{6}$/);

describe('files of an appearance', () => {
  it('a logo is served by its own address, for ever and as what it is', async () => {
    const given = await givenAppearance();
    const id = (await given.countersign.appearances.shown(given.clientId))?.logo?.id ?? '';
    const get = (path: string) => given.app.request(`/faces/${path}`);
    const found = await get(`logos/${given.clientId}/${id}.png`);
    expect(Buffer.from(await found.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(found.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    await given.countersign.appearances.removeLogo(given.clientId);
    for (const path of [
      `logos/${given.clientId}/${id}.png`,
      `logos/${given.clientId}/${id}`,
      'logos/x/y.png',
      'pages/red.css',
      'pages/ffd40.css',
      'other/ffd400.css',
    ]) {
      const missing = await get(path);
      expect(missing.status, path).toBe(404);
      expect(missing.headers.get('cache-control'), path).toBe('no-store');
    }
    expect(given.faults).toEqual([]);
  });

  it('logos are limited for an address, known and unknown ones together', async () => {
    const given = await givenAppearance();
    const id = (await given.countersign.appearances.shown(given.clientId))?.logo?.id ?? '';
    const logo = () => given.app.request(`/faces/logos/${given.clientId}/${id}.png`);
    const unknown = () => given.app.request(`/faces/logos/unknown/${id}.png`);
    for (let request = 2; request <= DEFAULT_REQUEST_RATES.anonymous; request += 2) {
      expect([(await logo()).status, (await unknown()).status]).toEqual([200, 404]);
    }
    for (const ask of [logo, unknown]) {
      const refused = await ask();
      expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, expect.any(String)]);
    }
    expect((await given.app.request('/faces/pages/ffd400.css')).status).toBe(200);
  });

  it('a colour is a stylesheet for both themes', async () => {
    const given = await givenAppearance();
    const sheet = await given.app.request('/faces/pages/ffd400.css');
    expect(sheet.headers.get('Content-Type')).toBe('text/css; charset=utf-8');
    const css = await sheet.text();
    for (const theme of [TOKENS.light, TOKENS.dark]) {
      expect(css).toContain(`--accent:${paletteOf('#ffd400', surfacesOf(theme)).text}`);
    }
    expect(css).toContain('--button:#ffd400');
  });

  it('its contrast is computed on the surfaces of each theme', () => {
    expect(surfacesOf(TOKENS.light)).toEqual([expect.stringMatching(/^#f/), '#ffffff', ...Array(2).fill(COLOUR)]);
    expect(surfacesOf(TOKENS.dark)).toEqual(Array(4).fill(COLOUR));
    for (const surface of surfacesOf(TOKENS.dark)) expect(contrastOf(surface, '#ffffff')).toBeGreaterThan(4.5);
  });

  it('a preview has all colours of each theme', async () => {
    const given = await givenAppearance();
    const css = await (await given.app.request('/faces/previews/ffd400.css')).text();
    for (const [name, tokens] of Object.entries(TOKENS)) {
      const [, rule = ''] = new RegExp(`\\.appearance-preview\\.${name}\\{([^}]*)\\}`).exec(css) ?? [];
      expect(rule).toContain(`--card:${tokens.get('card')};`);
      expect(rule).toContain('--button:#ffd400');
    }
  });

  it('a preview without a colour has the colours that pages then have, in each theme', async () => {
    const given = await givenAppearance();
    const css = await (await given.app.request('/faces/previews/standard.css')).text();
    for (const [name, tokens] of Object.entries(TOKENS)) {
      const [, rule = ''] = new RegExp(`\\.appearance-preview\\.${name}\\{([^}]*)\\}`).exec(css) ?? [];
      const colours = [...tokens].filter(([, value]) => value.startsWith('#'));
      expect(rule.split(';')).toEqual(colours.map(([token, value]) => `--${token}:${value}`));
      expect(rule).toContain(`--button:${tokens.get('button')};`);
    }
    expect((await given.app.request('/faces/pages/standard.css')).status).toBe(404);
  });
});

it('the page of a copy of the data has the appearance', async () => {
  const given = await givenAppearance();
  await walk(given, await given.start());
  const page = await given.browser.open(given.address('data-copy'));
  expectAppearance(page);
  expect(pageDocument(page.html).querySelector('title')?.textContent).toMatch(/ – Zoë & Söhne$/);
});
