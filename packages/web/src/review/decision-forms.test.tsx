import {
  ACTION_REASONS,
  REJECTION_REASONS,
  type ReviewedVerification,
  type VerificationEvent,
} from '@countersign/domain';
import { beforeAll, describe, expect, it } from 'vitest';
import { givenCases } from '../../test-support/cases.ts';
import { drawn } from '../../test-support/drawn.ts';
import { aView, changedCase, REVIEWER } from '../../test-support/review-view.ts';
import { createFormValues } from '../forms/form-values.ts';
import { AskBox } from './ask-box.tsx';
import { DecisionForms } from './decision-forms.tsx';
import type { ReviewView, Unsent } from './review-view.ts';
import { insertTemplate } from './templates.tsx';

let person: ReviewedVerification;

beforeAll(async () => {
  const { review, submitted } = await givenCases();
  person = { ...(await review.open(await submitted())), warnings: [] };
});

type Fields = readonly (readonly [name: string, value: string])[];

const unsent = (action: Unsent['action'], fields: Fields, more: Partial<Unsent> = {}): Partial<ReviewView> => ({
  unsent: { action, values: createFormValues(fields), problems: new Map(), toConfirm: false, ...more },
});

const formsOf = (reviewed: ReviewedVerification, more: Partial<ReviewView> = {}) =>
  drawn(<DecisionForms view={aView(reviewed, more)} />);

/** The form of one action, as markup and text. */
function formOf(
  action: string,
  more: Partial<ReviewView> = {},
  reviewed = person,
): { html: string; words: string } {
  const { html } = formsOf(reviewed, more);
  const [form = ''] = new RegExp(`<details id="act-${action}"[\\s\\S]*?</form>`).exec(html) ?? [];
  return { html: form, words: textOf(form) };
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const all = (html: string, pattern: RegExp): (string | undefined)[] =>
  [...html.matchAll(pattern)].map(([, value]) => value);

const checkedIn = (html: string): string[] =>
  [...html.matchAll(/<input type="checkbox"[^>]*name="([^"]+)"[^>]*value="([^"]+)"[^>]* checked/g)].map(
    ([, name, value]) => `${name}=${value}`,
  );

const claimedBy = (reviewerId: string): ReviewedVerification =>
  changedCase(person, { claim: { reviewerId, claimedAt: new Date(0) } });

it('a case that waits has a closed form for each decision and for a note, each with its key, style and version', () => {
  const { html } = formsOf(person);
  expect(
    [
      ...html.matchAll(
        /<details id="act-(\w+)" class="act act-\w+" name="decision"( open="")? data-key="(.)"><summary class="([^"]*)"/g,
      ),
    ].map(([, ...parts]) => parts),
  ).toEqual([
    ['approve', undefined, 'a', 'button'],
    ['ask', undefined, 'c', 'button secondary'],
    ['reject', undefined, 'x', 'button danger'],
    ['note', undefined, 'n', 'button quiet'],
  ]);
  expect(all(html, /<form method="post" action="[^"]*\/(\w+\?type=kyc"[^>]*)>/g)).toEqual([
    'approve?type=kyc"',
    'ask?type=kyc" id="ask-form" novalidate=""',
    'reject?type=kyc" novalidate=""',
    'note?type=kyc" novalidate=""',
  ]);
  expect(all(html, /name="expectedVersion" value="(\d+)"/g)).toEqual(
    Array(4).fill(String(person.verification.version)),
  );
  expect(all(html, /<h3>([^<]+)<\/h3>/g)).toEqual([
    'Approve Ada Lovelace?',
    'Ask Ada Lovelace again?',
    'Reject Ada Lovelace?',
    'Note',
  ]);
  expect(html).not.toContain('class="quiet">There is nothing to decide');
});

it.each([
  ['approve', [['yes', '']], undefined],
  [
    'ask',
    [
      ['yes', ''],
      ['no', 'secondary'],
    ],
    'data-confirm',
  ],
  [
    'reject',
    [
      ['yes', 'danger'],
      ['no', 'secondary'],
    ],
    'data-confirm',
  ],
  ['note', [], undefined],
] as const)(
  'the form %s has its buttons, and its confirmation only where a second step follows',
  (action, buttons, confirm) => {
    const { html } = formOf(action);
    expect(
      [...html.matchAll(/name="confirmed" value="(\w+)"(?: class="(\w+)")?/g)].map(([, value, look = '']) => [
        value,
        look,
      ]),
    ).toEqual(buttons);
    expect(html.includes('data-confirm')).toBe(confirm !== undefined);
    expect(html.includes('>Continue ')).toBe(confirm !== undefined);
    expect(html.includes('Save the note')).toBe(action === 'note');
    expect(html).toContain(`name="${action}.internalNote"`);
    if (confirm !== undefined) {
      expect(html).toMatch(/data-fields="true">/);
      expect(html).toMatch(/data-confirm="true" hidden="">/);
      expect(html).toContain('<div class="preview" data-preview="true"></div>');
    }
  },
);

it('a decision to confirm hides its fields and shows what the subject and the client will read', () => {
  const fields: Fields = [
    ['reject.reasonCodes', 'data_mismatch'],
    ['reject.message', 'Sorry'],
  ];
  const { html, words } = formOf('reject', unsent('reject', fields, { toConfirm: true }));
  expect(html).toMatch(/<details id="act-reject"[^>]* open/);
  expect(html).toMatch(/data-fields="true" hidden="">/);
  expect(html).toMatch(/data-confirm="true">/);
  expect(words).toMatch(
    /What the subject reads .* What the client reads as well Data does not match the document Message Sorry/,
  );
  // The form of another action stays as before any request.
  const other = formOf('ask', unsent('reject', fields, { toConfirm: true })).html;
  expect(other).not.toMatch(/^<details[^>]* open/);
  expect(other).toMatch(/data-confirm="true" hidden="">/);

  const asked: Fields = [
    ['ask.steps', 'selfie'],
    ['ask.selfie.reasonCode', 'selfie_unclear'],
    ['ask.selfie.note', 'Take off the hat'],
    ['ask.document.fields', 'number'],
    ['ask.document.reasonCode', 'other'],
    ['ask.message', 'Thanks'],
  ];
  const ask = formOf('ask', unsent('ask', asked, { toConfirm: true }));
  const [preview = ''] = /<div class="preview"[\s\S]*$/.exec(ask.html) ?? [];
  expect(all(preview, /<li>(.*?)<\/li>/g).map((item = '') => textOf(item))).toEqual([
    'Identity document, Number: Please read the note and answer this step again.',
    'Selfie: We could not see your face clearly. Please send another picture. Take off the hat',
  ]);
  expect(textOf(preview)).toContain('Message Thanks');
  expect(ask.words).not.toContain('What the client reads as well');
  expect(preview.match(/as-typed/g)).toHaveLength(2);
});

it('a refused form is open, with its values and problems', () => {
  const { html } = formOf(
    'reject',
    unsent('reject', [['reject.message', 'Sorry']], { problems: new Map([['reject.reasonCodes', 'Choose one']]) }),
  );
  expect(html).toMatch(/<details id="act-reject"[^>]* open/);
  expect(html).toContain('class="field has-error"');
  expect(html).toContain('>Sorry</textarea>');
  expect(html).not.toMatch(/data-fields="true" hidden/);
  expect(html).toContain('<div class="preview" data-preview="true"></div>');
});

it('the note of an approval is folded while it is empty and right', () => {
  const noteOf = (fields: Fields, problems: ReadonlyMap<string, string> = new Map()) =>
    formOf('approve', unsent('approve', fields, { problems })).html;
  const text: Fields = [['approve.internalNote', 'Seen']];
  expect(noteOf([])).toMatch(/<details><summary>Add an internal note/);
  expect(noteOf(text)).toMatch(/<details open=""><summary>Add an internal note/);
  expect(noteOf([], new Map([['approve.internalNote', 'Too long']]))).toMatch(/<details open=""><summary>/);
  expect(noteOf(text)).toContain('(optional)');
  expect(formOf('note').words).not.toContain('Internal note (optional)');
});

it('reasons show the number of their key, and the chosen ones stay chosen', () => {
  const { html } = formOf('reject', unsent('reject', [['reject.reasonCodes', 'other']]));
  expect(all(html, />(\d+) · /g)).toEqual(REJECTION_REASONS.map((_, index) => String(index + 1)));
  expect(checkedIn(html)).toEqual(['reject.reasonCodes=other']);
  const ask = formOf('ask', unsent('ask', [['ask.selfie.reasonCode', 'other']])).html;
  const [selfie = ''] = /<fieldset class="[^"]*" data-step="selfie">[\s\S]*?<\/select>/.exec(ask) ?? [];
  expect(all(selfie, />(\d+) · /g)).toEqual(ACTION_REASONS.map((_, index) => String(index + 1)));
  expect(all(selfie, /<option value="(\w*)" selected/g)).toEqual(['other']);
  expect(all(ask, /<option value="(\w*)" selected/g)).toEqual(['other']);
  expect(selfie).toMatch(/value="other"[^>]* data-reads="Please read the note/);
  expect(selfie).not.toContain('aria-required');
});

it('each step of the flow can be asked for, and each answer that has no row beside it', () => {
  const { html, words } = formOf('ask');
  const steps = ['consent', 'document', 'person', 'selfie', 'address', 'attestation'];
  expect(all(html, /<fieldset class="step-to-ask" data-step="(\w+)">/g)).toEqual(steps);
  expect(all(html, /id="(field-ask-steps[\w-]*)" name="ask.steps"/g)).toEqual([
    'field-ask-steps',
    ...steps.slice(1).map((step) => `field-ask-steps-${step}`),
  ]);
  expect(all(html, /<label for="(field-ask-steps[^"]*)"/g)).toEqual(
    all(html, /id="(field-ask-steps[\w-]*)" name/g),
  );
  expect(all(html, /name="ask.person.fields" value="(\w+)"/g)).toEqual([
    'middleNames',
    'nationalIdNumber',
    'email',
    'phone',
  ]);
  expect(html).not.toContain('name="ask.document.fields"');
  expect(html).not.toContain('name="ask.consent.fields"');
  expect(words).toContain('Only these answers, which have no row (optional) Middle names');
  const withFields = new Set(all(html, /name="ask\.(\w+)\.fields"/g));
  expect(words.match(/Only these answers/g)).toHaveLength(withFields.size);
  expect(checkedIn(html)).toEqual([]);
});

it('a step is marked as asked for once it or a field of it is ticked', () => {
  const marked = (fields: Fields) => {
    const { html } = formOf('ask', unsent('ask', fields));
    return [all(html, /class="step-to-ask is-asked" data-step="(\w+)"/g), checkedIn(html)];
  };
  expect(marked([['ask.person.fields', 'email']])).toEqual([['person'], ['ask.person.fields=email']]);
  // Any step that is chosen shows all of them.
  expect(marked([['ask.steps', 'selfie']])[1]).toEqual(['ask.steps=selfie']);
});

it('an approval lists each warning to check with a box of its own, and says if there is none', () => {
  expect(formOf('approve').words).toContain('No warnings. This does not prove that everything is correct.');
  const warnings = ['number', 'expiresOn'].map(
    (path) => ({ code: 'name_mismatch', step: 'document', path }) as const,
  );
  const warned = { ...person, warnings };
  const { html, words } = formOf(
    'approve',
    unsent('approve', [['approve.checkedWarnings', 'name_mismatch:document.expiresOn']]),
    warned,
  );
  expect(all(html, /id="(field-approve-checkedWarnings[\w-]*)" name/g)).toEqual([
    'field-approve-checkedWarnings',
    'field-approve-checkedWarnings-1',
  ]);
  expect(all(html, /<label for="(field-approve-checkedWarnings[^"]*)"/g)).toEqual([
    'field-approve-checkedWarnings',
    'field-approve-checkedWarnings-1',
  ]);
  expect(checkedIn(html)).toEqual(['approve.checkedWarnings=name_mismatch:document.expiresOn']);
  expect(words).toContain('Check each of 2 warnings');
  expect(html).toContain('required=""');
  expect(html).not.toContain('has-error');
  const problems = new Map([['approve.checkedWarnings', 'Check all']]);
  expect(formOf('approve', unsent('approve', [], { problems }), warned).html).toContain('class="field has-error"');
});

it('a case claimed by a colleague names them; one that cannot be decided says why', () => {
  const ofColleague = formsOf(claimedBy('ben'));
  expect(ofColleague.words).toMatch(/^Decision .*name of ben/);
  expect(all(ofColleague.html, /id="act-(\w+)"/g)).toEqual(['note']);
  expect(all(formsOf(claimedBy(REVIEWER.id)).html, /id="act-(\w+)"/g)).toEqual([
    'approve',
    'ask',
    'reject',
    'note',
  ]);

  const pending = formsOf(
    changedCase(person, { status: 'pending', submittedAt: null, claim: { reviewerId: 'ben' } }),
  );
  expect(pending.words).toContain('There is nothing to decide in this status.');
  const [event] = person.events;
  if (event === undefined) throw new Error('The case has no event');
  const ending: VerificationEvent = {
    ...event,
    type: 'verification.approved',
    actor: { kind: 'reviewer', id: 'ben' },
  };
  const approved = formsOf({
    ...changedCase(person, { status: 'approved' }),
    events: [...person.events, ending],
  });
  expect(approved.words).toBe('Decision Approved by name of ben, 15 Jan 2026, 12:00 UTC');
});

it('a box beside the first row of a field asks for it, only while the reviewer can ask again', () => {
  const box = (path: string, paths: readonly string[], reviewed = person, more: Partial<ReviewView> = {}) =>
    drawn(<AskBox view={aView(reviewed, more)} step="person" path={path} paths={paths} />).html;
  const rows = ['firstName', 'nationalities.0', 'nationalities.1'];
  expect(box('firstName', rows)).toMatch(/form="ask-form" name="ask.person.fields" value="firstName"/);
  expect(box('nationalities.0', rows)).toContain('value="nationalities"');
  expect(box('nationalities.1', rows)).toBe('');
  expect(box('unknown', ['unknown'])).toBe('');
  expect(box('firstName', rows, claimedBy('ben'))).toBe('');
  for (const [action, value, isChecked] of [
    ['ask', 'firstName', true],
    ['ask', 'lastName', false],
    ['reject', 'firstName', false],
  ] as const)
    expect(
      box('firstName', rows, person, unsent(action, [['ask.person.fields', value]])).includes('checked'),
    ).toBe(isChecked);
});

describe('the templates for a decision', () => {
  const templates = {
    ask: [],
    reject: [
      { name: 'Sorry', en: 'We are sorry.' },
      { name: 'Short', en: 'No.' },
    ],
  };

  it('a template can be chosen for the message of its decision', () => {
    const reviewed = { ...person, templates };
    expect(formOf('reject', {}, reviewed).words).toContain('Insert a template (optional)');
    expect(formOf('ask', {}, reviewed).html).not.toContain('insertTemplate');
  });

  const insert = (action: 'reject' | 'ask' | 'note', fields: Fields) => {
    const found = insertTemplate(action, createFormValues(fields), { templates, verification: { locale: 'en' } });
    return found && [found.isChosen, found.values.entries];
  };
  const BUTTON = ['insertTemplate', 'yes'] as const;

  it('a chosen template is added to the end of the message, and replaces an earlier one', () => {
    const chosen = ['reject.template', 'Sorry'] as const;
    expect(insert('reject', [chosen, BUTTON])).toEqual([true, [chosen, ['reject.message', 'We are sorry.']]]);
    expect(insert('reject', [['reject.message', 'Dear Ada,\n\nNo.'], chosen, BUTTON])).toEqual([
      true,
      [chosen, ['reject.message', 'Dear Ada,\n\nWe are sorry.']],
    ]);
  });

  it('nothing is inserted without the button or a template', () => {
    expect(insert('reject', [['reject.template', 'Sorry']])).toBeNull();
    expect(insert('note', [BUTTON])).toBeNull();
    const odd = ['reject.template', 'odd'] as const;
    expect(insert('reject', [odd, BUTTON])).toEqual([false, [odd]]);
  });
});
