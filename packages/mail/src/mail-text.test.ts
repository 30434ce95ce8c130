import { LANGUAGES, REASON_CODES, SUBJECT_TYPES } from '@countersign/domain';
import { STEP_KEYS } from '@countersign/domain/flows';
import { groupOf, MAIL_KINDS, type MailKind } from '@countersign/domain/mail';
import { describe, expect, it } from 'vitest';
import { contentOf, NOW } from '../test-support/contents.ts';
import { drawMail } from './draw.tsx';
import { mailTextOf } from './mail-text.ts';

type Variant = readonly [name: string, values: object];

/** Lists the values that change the words of a mail: people and businesses, each result, with and without a client or a name. */
function variantsOf(kind: MailKind): readonly Variant[] {
  const ofSubjects = SUBJECT_TYPES.map((subjectType): Variant => [`-${subjectType}`, { subjectType }]);
  switch (kind) {
    case 'verification.result':
      return ofSubjects.flatMap(([name, values]) =>
        ['approved', 'rejected'].map((result): Variant => [`${name}-${result}`, { ...values, result }]),
      );
    case 'user.invitation':
      return [
        ['-team', {}],
        ['-service', { clientName: null }],
      ];
    case 'team.key_expiring':
      return [
        ['-named', {}],
        ['-unnamed', { keyName: '' }],
      ];
    default:
      return groupOf({ kind }) === 'verification' ? ofSubjects : [['', {}]];
  }
}

const ALL = MAIL_KINDS.flatMap((kind) =>
  variantsOf(kind).map(([name, values]) => [`${kind}${name}`, contentOf(kind, { values })] as const),
);

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
    const items = STEP_KEYS.flatMap((step) => REASON_CODES.map((reasonCode) => ({ step, reasonCode })));
    const mailText = mailTextOf(contentOf('verification.action_needed', { locale, values: { items } }), NOW);
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
