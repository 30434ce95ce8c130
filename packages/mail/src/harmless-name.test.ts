import { describe, expect, it } from 'vitest';
import { contentOf, writtenMail } from '../test-support/contents.ts';
import { nameInSender, nameInSubject, nameInText } from './harmless-name.ts';

/** The HTML of a mail without its style sheet. */
const withoutStyles = (html: string) => html.replace(/<style>.*<\/style>/s, '');

/** What mail programs turn into links, without a scheme too. */
const LINK = /(?:https?:\/\/|www\.|@)\w|\w\.(?:example|org|com)\b/i;

function mailFrom(clientName: string) {
  return writtenMail(contentOf('verification.link', { values: { clientName } }));
}

describe('the name of a client', () => {
  it.each(['https://evil.example/login', 'www.evil.example', 'pay@evil.example', 'Acme (evil.example)'])(
    '%s is no link in the text',
    (name) => {
      const { text, html, link, from } = mailFrom(name);
      const withoutOwn = (form: string) => form.replaceAll(link?.url ?? '', '').replaceAll(link?.shown ?? '', '');
      expect(withoutOwn(text)).not.toMatch(LINK);
      expect(withoutOwn(withoutStyles(html))).not.toMatch(LINK);
      expect(from).not.toMatch(LINK);
      // It looks as the client wrote it.
      expect(nameInText(name).replaceAll('\u2060', '')).toBe(name);
    },
  );

  it('the name of a client is followed by where its subjects find help', () => {
    const supportAddress = 'help@shop.example';
    const values = { clientName: 'evil.example', supportAddress };
    const { text, html, link } = writtenMail(contentOf('verification.link', { values }));
    expect(text.replaceAll('\u2060', '')).toContain('Contact evil.example: help@shop.example\n');
    expect(html).toContain(supportAddress);
    expect(text.replaceAll(link?.url ?? '', '').replaceAll(supportAddress, '')).not.toMatch(LINK);
  });

  it('the name of a client with markup is shown as text', () => {
    const { html } = mailFrom('<a href="https://evil.example">Acme</a><img src=x>');
    expect(html).not.toMatch(/<img|evil\.example"/);
    expect(html).toContain('&lt;img');
  });

  it('the name of a client with placeholders and references of texts stays as it is', () => {
    for (const name of ['{{until}}', '$t(button.kyc)', '{{client}} {{name}}']) {
      expect(mailFrom(name).text.replaceAll('\u2060', '')).toContain(`${name} asks you to verify your identity.`);
    }
  });

  it('the name of a client with line breaks and control characters is one line', () => {
    expect(nameInSubject('Acme\r\nBcc: eve@evil.example\u0000\u2028\u202Espam')).toBe(
      'Acme Bcc: eve@evil.example spam',
    );
    expect(mailFrom('Acme\r\n\r\nPay now').text).toContain('Acme Pay now asks you');
  });

  it('a name from right to left does not turn the sentence around it', () => {
    expect(nameInText('شركة')).toBe('\u2068شركة\u2069');
    expect(nameInText('Zoë & Söhne')).toBe('Zoë & Söhne');
    expect(nameInSender('شركة')).toBe('شركة');
  });

  it('a very long name of a client is shortened in the subject, between characters', () => {
    expect(nameInSubject('😀'.repeat(100))).toBe(`${'😀'.repeat(59)}…`);
    expect(nameInSubject('A'.repeat(60))).toBe('A'.repeat(60));
  });
});

it.each([
  ['the name of a key', contentOf('team.key_expiring', { values: { keyName: 'https://evil.example/login' } })],
  ['the host of an endpoint', contentOf('team.endpoint_paused')],
])('%s is no link in the text', (_, content) => {
  const { text, html, link } = writtenMail(content);
  for (const form of [text, withoutStyles(html)])
    expect(form.replaceAll(content.values.url, '').replaceAll(link?.shown ?? '', '')).not.toMatch(LINK);
});
