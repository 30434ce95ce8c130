import { LANGUAGES, REASON_CODES, SUBJECT_TYPES } from '@countersign/domain';
import { STEP_KEYS } from '@countersign/domain/flows';
import { MAIL_KINDS, type MailContent } from '@countersign/domain/mail';
import { describe, expect, it } from 'vitest';
import { contentOf, expiringContentOf, NOW, pausedContentOf, userContentOf } from '../test-support/contents.ts';
import { drawMail } from './draw.tsx';
import { mailTextOf } from './mail-text.ts';

type Named = readonly [name: string, content: MailContent];

/** Each kind of mail, for people and for businesses, each result, and with and without a client. */
const ALL: readonly Named[] = MAIL_KINDS.flatMap((kind): Named[] => {
  switch (kind) {
    case 'user.invitation':
      return [
        [`${kind}-team`, userContentOf(kind)],
        [`${kind}-service`, userContentOf(kind, { values: { clientName: null } })],
      ];
    case 'team.endpoint_paused':
      return [[kind, pausedContentOf()]];
    case 'team.key_expiring':
      return [
        [`${kind}-named`, expiringContentOf()],
        [`${kind}-unnamed`, expiringContentOf('')],
      ];
    case 'user.password_reset':
    case 'user.second_factor_reset':
      return [[kind, userContentOf(kind)]];
    default:
      return SUBJECT_TYPES.flatMap((subjectType) =>
        withResults(contentOf(kind, { values: { subjectType } })).map(
          (one): Named => [`${kind}-${subjectType}${resultOf(one)}`, one],
        ),
      );
  }
});

function withResults(content: MailContent): MailContent[] {
  if (content.kind !== 'verification.result') return [content];
  return (['approved', 'rejected'] as const).map((result) => ({
    ...content,
    values: { ...content.values, result },
  }));
}

function resultOf(content: MailContent): string {
  return content.kind === 'verification.result' ? `-${content.values.result}` : '';
}

describe.each(LANGUAGES)('in %s', (locale) => {
  it.each(ALL)('%s: plain text and HTML are whole', async (name, content) => {
    const mailText = mailTextOf({ ...content, locale }, NOW);
    const { text, html } = drawMail(mailText);
    await expect(`${mailText.subject}\n\n${text}`).toMatchFileSnapshot(
      `../test-support/mails/${locale}/${name}.txt`,
    );
    for (const form of [mailText.subject, text, html])
      expect(form).not.toMatch(/undefined|\{\{|\}\}|verification\.\w|\b(?:user|team)\.\w|\bframe\.|button\./);
    // The same words in both.
    const words = html.replace(/^.*<body[^>]*>/s, '').replaceAll(/<[^>]+>/g, ' ');
    for (const part of [mailText.lead, mailText.more, ...mailText.items, ...mailText.notes]) {
      expect(text).toContain(part);
      expect(words).toContain(part);
    }
    expect(text).toContain(`\n${content.values.url}\n`);
    expect(html.match(/href="([^"]*)"/g)).toEqual(Array(2).fill(`href="${content.values.url}"`));
    expect(html).not.toMatch(/<(?:img|link|script|style|iframe)\b|url\(|src=/);
    expect(html).toContain(`<html lang="${locale}">`);
  });

  it('every step and every reason has a text', () => {
    const content = contentOf('verification.action_needed', { locale });
    if (content.kind !== 'verification.action_needed') throw new Error('another kind');
    const items = STEP_KEYS.flatMap((step) => REASON_CODES.map((reasonCode) => ({ step, reasonCode })));
    const mailText = mailTextOf({ ...content, values: { ...content.values, items } }, NOW);
    for (const item of mailText.items) expect(item).toMatch(/^\p{Lu}[\p{L} ]+: \p{Lu}.*\.$/u);
    expect(mailText.items.join('\n')).not.toMatch(/suspect|fraud|Verdacht|Betrug/i);
  });
});

it.each([
  ['de-AT', 'de'],
  ['DE', 'de'],
  ['fr', 'en'],
  ['', 'en'],
  [null, 'en'],
])('a flow in the language %s is mailed in %s', (locale, expected) => {
  expect(mailTextOf(contentOf('verification.link', { locale }), NOW).language).toBe(expected);
});

it('a result whose link has ended is sent without it', () => {
  const content = contentOf('verification.result', { values: { linkExpiresAt: NOW } });
  const { text, html } = drawMail(mailTextOf(content, NOW));
  expect(`${text}${html}`).not.toContain(content.values.url);
  expect(html).not.toContain('<a ');
});
