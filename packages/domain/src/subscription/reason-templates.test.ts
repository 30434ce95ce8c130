import { describe, expect, it } from 'vitest';
import {
  languageForSubject,
  NO_TEMPLATES,
  parseReasonTemplates,
  parseStoredTemplates,
  TEMPLATE_TEXT_MAX_CHARACTERS,
  TEMPLATES_MAX_COUNT,
  textOfTemplate,
} from './reason-templates.ts';

const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `Template ${n}`, en: 'Text' }));
const longest = 'ü'.repeat(TEMPLATE_TEXT_MAX_CHARACTERS);

function issuesOf(input: unknown) {
  try {
    parseReasonTemplates(input);
  } catch (error) {
    return (error as { data: { issues: { path: string; code: string }[] } }).data.issues.map(
      ({ path, code }) => `${path} ${code}`,
    );
  }
  return [];
}

describe('parseReasonTemplates', () => {
  it('keeps the order, trims names and texts, and treats a missing list as empty', () => {
    const second = { name: 'A', de: 'Zeile\n\n\tZeile' };
    expect(parseReasonTemplates({ ask: [{ name: ' B ', en: ' Text\n' }, second] })).toEqual({
      ask: [{ name: 'B', en: 'Text' }, second],
      reject: [],
    });
    expect(parseReasonTemplates({})).toEqual(NO_TEMPLATES);
  });

  it('accepts the most templates with the longest texts, the same name for both decisions, and names with similar letters', () => {
    const reject = ['Template 0', 'Maße', 'Masse'].map((name) => ({ name, en: longest, de: longest }));
    expect(parseReasonTemplates({ ask: many(TEMPLATES_MAX_COUNT), reject }).reject).toEqual(reject);
  });

  it.each([
    ['too many templates', { reject: many(TEMPLATES_MAX_COUNT + 1) }, ['reject too_many']],
    ['a text that is too long', { ask: [{ name: 'A', de: `${longest}ü` }] }, ['ask.0.de too_long']],
    ['a name that is too long', { ask: [{ name: 'A'.repeat(81), de: 'Text' }] }, ['ask.0.name too_long']],
    ['an empty name', { ask: [{ name: ' ', de: 'Text' }] }, ['ask.0.name required']],
    ['no name', { ask: [{ de: 'Text' }] }, ['ask.0.name required']],
    [
      'two empty names',
      {
        ask: [
          { name: ' ', de: 'Text' },
          { name: '', de: 'Text' },
        ],
      },
      ['ask.0.name required', 'ask.1.name required'],
    ],
    ['a name of two lines', { ask: [{ name: 'A\nB', de: 'Text' }] }, ['ask.0.name not_plain_text']],
    [
      'a name that differs from an earlier one only in case and spaces',
      { ask: [...many(2), { name: ' TEMPLATE 1', en: 'Text' }] },
      ['ask.2.name invalid'],
    ],
    ['a template without a text', { ask: [...many(1), { name: 'A' }] }, ['ask.1.en required']],
    [
      'a template whose text is only spaces',
      { ask: [{ name: 'A', de: ' ' }] },
      ['ask.0.de required', 'ask.0.en required'],
    ],
    ['a control character in a text', { ask: [{ name: 'A', de: 'a\u001b[2J' }] }, ['ask.0.de not_plain_text']],
    ['a NUL in a text', { ask: [{ name: 'A', de: 'a\u0000b' }] }, ['ask.0.de not_plain_text']],
    ['an unknown language', { ask: [{ name: 'A', en: 'Text', fr: 'Texte' }] }, ['ask.0.fr unknown_field']],
    ['an unknown decision', { approve: many(1) }, ['approve unknown_field']],
    ['a text of another type', { ask: [{ name: 'A', en: 1 }] }, ['ask.0.en invalid']],
    ['a template of another type', { ask: ['A'] }, ['ask.0 invalid', 'ask.0.en required']],
    ['a list of another type', { ask: 'A' }, ['ask invalid']],
    ['anything but an object', null, [' required']],
  ])('refuses %s', (_what, input, issues) => {
    expect(issuesOf(input)).toEqual(issues);
  });
});

it('parseStoredTemplates: accepts templates over a bound, and names what is missing from another shape', () => {
  const over = { ask: many(TEMPLATES_MAX_COUNT + 1), reject: [{ name: 'A'.repeat(500), de: `${longest}ü` }] };
  expect(parseStoredTemplates(over)).toEqual(over);
  expect(() => parseStoredTemplates({ ask: [{ en: 'Text' }], reject: [] })).toThrow(
    'reason_templates has no ask.0.name',
  );
});

it('textOfTemplate: returns the text in the language, or the other one with its language', () => {
  expect(textOfTemplate({ name: 'A', en: 'Text', de: 'Wort' }, 'de')).toEqual({ text: 'Wort', language: 'de' });
  expect(textOfTemplate({ name: 'A', en: 'Text' }, 'de')).toEqual({ text: 'Text', language: 'en' });
  expect(textOfTemplate({ name: 'A', de: 'Wort' }, 'en')).toEqual({ text: 'Wort', language: 'de' });
});

it('languageForSubject: the language of the locale, or English', () => {
  expect(['de-AT', 'en', 'fr', null].map((locale) => languageForSubject(locale))).toEqual([
    'de',
    'en',
    'en',
    'en',
  ]);
});
