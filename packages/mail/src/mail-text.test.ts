import { LANGUAGES, REASON_CODES } from '@countersign/domain';
import { contrastOf } from '@countersign/domain/clients';
import { STEP_KEYS } from '@countersign/domain/flows';
import type { MailContent, MailKind } from '@countersign/domain/mail';
import { describe, expect, it } from 'vitest';
import { contentOf, EVERY_MAIL, LOGO, NOW, writtenMail } from '../test-support/contents.ts';
import { mailTextOf } from './mail-text.ts';

/** Returns the words of a text in their order. */
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Returns what a person reads in HTML, with the names of pictures. */
function shownOf(html: string): string {
  const body = html.replace(/^.*<body[^>]*>/s, '').replaceAll(/<img[^>]*alt="([^"]*)"[^>]*>/g, '$1');
  return body
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? '');
}

const SYMBOL = { ...LOGO, width: 96, height: 96 };

describe.each(LANGUAGES)('in %s', (locale) => {
  it.each(EVERY_MAIL)('%s: plain text and HTML are whole', async (name, content) => {
    const { subject, text, html } = writtenMail({ ...content, locale });
    await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`../test-support/mails/${locale}/${name}.txt`);
    for (const form of [subject, text, html.replace(/<style>.*<\/style>/s, '')])
      expect(form).not.toMatch(
        /undefined|\bnull\b|\{\{|\}\}|verification\.\w|\b(?:user|team)\.\w|\bframe\.|button\./,
      );
    expect(text).toContain(`\n${content.values.url}\n`);
    expect(html.match(/href="([^"]*)"/g)).toEqual(Array(2).fill(`href="${content.values.url}"`));
    expect(html).not.toMatch(/<(?:img|link|script|iframe)\b|url\(|@import|src=/);
    expect(html).toContain(`<html lang="${locale}">`);
  });

  it.each(EVERY_MAIL)('%s: plain text and HTML have the same words', (_, content) => {
    const looks = [{}, { logo: LOGO }, { logo: SYMBOL }, { supportAddress: 'help@acme.example' }];
    for (const look of looks) {
      const values = 'supportAddress' in content.values ? { ...content.values, ...look } : content.values;
      const { text, html, link } = writtenMail({ ...content, locale, values } as MailContent);
      const { shown = '', url = '' } = link ?? {};
      expect(shownOf(html)).toContain(shown);
      expect(wordsOf(shownOf(html).replace(shown, url))).toEqual(wordsOf(text));
    }
  });

  it('every step and every reason has a text', () => {
    const items = STEP_KEYS.flatMap((step) => REASON_CODES.map((reasonCode) => ({ step, reasonCode })));
    const mail = writtenMail(contentOf('verification.action_needed', { locale, values: { items } }));
    for (const item of mail.items) expect(item).toMatch(/^\p{Lu}[\p{L} ]+: \p{Lu}.*\.$/u);
    expect(mail.items.join('\n')).not.toMatch(/suspect|fraud|Verdacht|Betrug/i);
  });
});

it.each([
  ['de-AT', 'de'],
  ['DE', 'de'],
  ['fr', 'en'],
  ['', 'en'],
  [null, 'en'],
])('a flow in the language %s is mailed in %s', (locale, expected) => {
  expect(writtenMail(contentOf('verification.link', { locale })).language).toBe(expected);
});

it('a result whose link has ended is sent without it', () => {
  const content = contentOf('verification.result', { values: { linkExpiresAt: NOW } });
  const { text, html } = writtenMail(content);
  expect(`${text}${html}`).not.toContain(content.values.url);
  expect(html).not.toContain('<a ');
});

describe('the sender', () => {
  it.each([
    ['en', 'Example', 'Acme via Example'],
    ['de', 'Example', 'Acme über Example'],
    ['en', null, 'Acme via Countersign'],
    ['en', 'Acme', 'Acme'],
  ])('the sender in %s, where the service is %s, is named %s', (locale, service, expected) => {
    expect(mailTextOf(contentOf('verification.link', { locale }), NOW, service).from).toBe(expected);
  });

  it.each<[MailKind, string | null, string]>([
    ['user.invitation', 'Example', 'Example'],
    ['team.key_expiring', null, 'Countersign'],
  ])('the sender of %s is the service', (kind, service, expected) => {
    expect(mailTextOf(contentOf(kind), NOW, service)).toMatchObject({
      from: expected,
      replyTo: null,
      brand: null,
    });
  });

  it.each([
    ['help@acme.example', 'help@acme.example', 'Replies go to Acme.'],
    ['https://acme.example/help', null, 'Replies are not read.'],
    [null, null, 'Replies are not read.'],
  ])('replies to a client with the help address %s go to %s', (supportAddress, replyTo, words) => {
    const mail = writtenMail(contentOf('verification.link', { values: { supportAddress } }));
    expect(mail.replyTo).toBe(replyTo);
    expect(mail.text).toContain(words);
  });
});

describe('the link', () => {
  it.each([
    ['https://verify.example/verify/018f6f2e-1.abc', 'verify.example/verify/018f6f2e…'],
    ['https://verify.example:8443/dashboard/keys', 'verify.example:8443/dashboard/keys'],
  ])('%s is shown as %s', (url, shown) => {
    expect(writtenMail(contentOf('verification.link', { values: { url } })).link).toMatchObject({ url, shown });
  });

  it.each([
    ['2026-12-23T09:00:00Z', 'until 21 December 2026', 'bis zum 21. Dezember 2026'],
    // The last end whose day has begun nowhere yet, and the first one before it.
    ['2026-11-25T12:00:00Z', 'until 24 November 2026', 'bis zum 24. November 2026'],
    ['2026-11-24T12:00:00Z', 'until 23 November 2026', 'bis zum 23. November 2026'],
    [
      '2026-11-24T11:59:59Z',
      'for 26 hours after this message',
      'nach dem Versand dieser Nachricht noch 26 Stunden',
    ],
    ['2026-11-23T10:59:59Z', 'for 1 hour after this message', 'nach dem Versand dieser Nachricht noch 1 Stunde'],
    [
      '2026-11-23T09:59:59Z',
      'for 59 minutes after this message',
      'nach dem Versand dieser Nachricht noch 59 Minuten',
    ],
    ['2026-11-23T09:00:01Z', 'for 1 minute after this message', 'nach dem Versand dieser Nachricht noch 1 Minute'],
  ])('a link to a subject that ends at %s: works %s', (end, english, german) => {
    const until = (locale: string) =>
      writtenMail(contentOf('verification.link', { locale, values: { linkExpiresAt: new Date(end) } })).link
        ?.until;
    expect(until('en')).toMatch(new RegExp(`^The link works ${english}`));
    expect(until('de')).toMatch(new RegExp(`^Der Link gilt ${german}`));
  });

  it.each(LANGUAGES)('mails to subjects in %s name no time of a zone, mails to users one in UTC', (locale) => {
    const named = EVERY_MAIL.filter(([, content]) =>
      /UTC|\b\d{1,2}:\d{2}\b/.test(writtenMail({ ...content, locale }).text),
    ).map(([name]) => name);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => name.startsWith('verification.'))).toEqual([]);
  });
});

describe('the look', () => {
  it('the button has the client’s colour and a text that can be read on it', () => {
    for (const colour of ['#ffd400', '#1d4f91', '#ffffff', '#000000']) {
      const { html } = writtenMail(contentOf('verification.link', { values: { colour } }));
      const [, text = ''] = /class="buttonText" style="[^"]*;color:(#\w+)"/.exec(html) ?? [];
      expect(html).toContain(`class="button" style="`);
      expect(html).toMatch(new RegExp(`class="button" style="[^"]*background-color:${colour};`));
      expect(contrastOf(colour, text)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('the logo has its address, its size and the name of the client', () => {
    const { html } = writtenMail(contentOf('verification.link', { values: { logo: LOGO } }));
    expect(html).toContain(`src="${LOGO.url}" width="200" height="40" alt="Acme"`);
  });

  it('a narrow logo stands beside the name', () => {
    const { html } = writtenMail(contentOf('verification.link', { values: { logo: SYMBOL } }));
    expect(html).toMatch(/width="40" height="40" alt="".*>Acme<\/td>/);
  });
});
