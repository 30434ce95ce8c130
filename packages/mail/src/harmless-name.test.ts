import { describe, expect, it } from 'vitest';
import { contentOf, NOW } from '../test-support/contents.ts';
import { drawMail } from './draw.tsx';
import { nameInSubject, nameInText } from './harmless-name.ts';
import { mailTextOf } from './mail-text.ts';

/** What mail programs turn into links, without a scheme too. */
const LINK = /(?:https?:\/\/|www\.|@)\w|\w\.(?:example|org|com)\b/i;

function mailFrom(clientName: string) {
  const mailText = mailTextOf(contentOf('verification.link', { values: { clientName } }), NOW);
  return { ...mailText, ...drawMail(mailText) };
}

describe('the name of a client', () => {
  it.each(['https://evil.example/login', 'www.evil.example', 'pay@evil.example', 'Acme (evil.example)'])(
    '%s is no link in the text',
    (name) => {
      const { text, html, link } = mailFrom(name);
      const own = link?.url ?? '';
      expect(text.replaceAll(own, '')).not.toMatch(LINK);
      expect(html.replaceAll(own, '')).not.toMatch(LINK);
      // It looks as the client wrote it.
      expect(nameInText(name).replaceAll('\u2060', '')).toBe(name);
    },
  );

  it('the name of a client is followed by where its subjects find help', () => {
    const supportAddress = 'help@shop.example';
    const values = { clientName: 'evil.example', supportAddress };
    const mailText = mailTextOf(contentOf('verification.link', { values }), NOW);
    const { text, html } = drawMail(mailText);
    expect(text.replaceAll('\u2060', '')).toContain('Contact evil.example: help@shop.example\n');
    expect(html).toContain(supportAddress);
    expect(text.replaceAll(mailText.link?.url ?? '', '').replaceAll(supportAddress, '')).not.toMatch(LINK);
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

  it('a very long name of a client is shortened in the subject, between characters', () => {
    expect(nameInSubject('😀'.repeat(100))).toBe(`${'😀'.repeat(59)}…`);
    expect(nameInSubject('A'.repeat(60))).toBe('A'.repeat(60));
  });
});

it.each([
  ['the name of a key', contentOf('team.key_expiring', { values: { keyName: 'https://evil.example/login' } })],
  ['the host of an endpoint', contentOf('team.endpoint_paused')],
])('%s is no link in the text', (_, content) => {
  const { text, html } = drawMail(mailTextOf(content, NOW));
  expect(text.replaceAll(content.values.url, '')).not.toMatch(LINK);
  expect(html.replaceAll(content.values.url, '')).not.toMatch(LINK);
});
