import { beforeEach, describe, expect, it } from 'vitest';
import { type GivenConsole, givenConsole } from '../../test-support/console.ts';

let given: GivenConsole;
beforeEach(async () => {
  given = await givenConsole();
  await given.countersign.clients.setReasonTemplates(given.principal.clientId, {
    ask: [
      { name: 'Blurred', en: 'Please take it again.', de: 'Bitte noch einmal.' },
      { name: 'Zu <dunkel>', de: 'Bitte mit Licht.' },
    ],
    reject: [{ name: 'Closed', en: 'It is closed.' }],
  });
});

const INSERT = { insertTemplate: 'yes' };
const messageIn = (text: string, action = 'ask') =>
  new RegExp(`<textarea[^>]*name="${action}\\.message"[^>]*>([^<]*)</textarea>`).exec(text)?.[1];
const optionsIn = (text: string, action = 'ask') => {
  const select = new RegExp(`<select[^>]*name="${action}\\.template".*?</select>`, 's').exec(text)?.[0] ?? '';
  return Array.from(select.matchAll(/<option[^>]*>([^<]*)</g), ([, label]) => label);
};

describe('templates in the forms of a case', () => {
  it.each([
    [
      'de-AT',
      'German',
      ['Please choose', 'Blurred', 'Zu &lt;dunkel&gt;'],
      ['Please choose', 'Closed (only in English)'],
    ],
    [
      'en',
      'English',
      ['Please choose', 'Blurred', 'Zu &lt;dunkel&gt; (only in German)'],
      ['Please choose', 'Closed'],
    ],
    [
      undefined,
      'English',
      ['Please choose', 'Blurred', 'Zu &lt;dunkel&gt; (only in German)'],
      ['Please choose', 'Closed'],
    ],
  ])('offers them in the language of the verification: locale %s', async (locale, language, ask, reject) => {
    const { text, words } = await given.get(`/review/${await given.submitted({ locale })}`);
    expect(optionsIn(text)).toEqual(ask);
    expect(optionsIn(text, 'reject')).toEqual(reject);
    expect(words).toContain(`Its text is in ${language}, the language of this verification.`);
  });

  it('a client without templates: the forms offer none', async () => {
    await given.countersign.clients.setReasonTemplates(given.principal.clientId, {});
    const { text } = await given.get(`/review/${await given.submitted()}`);
    expect(text).not.toContain('insertTemplate');
    expect(text).not.toContain('ask.template');
  });

  it('a case of the test twin has the templates of the client', async () => {
    const { clients, apiKeys } = given.countersign;
    const twin = await clients.testTwin(given.principal.clientId);
    const { value } = await apiKeys.issue(twin.id, { name: 'test', permissions: ['*'] });
    const principal = await given.countersign.authenticate(value, { countRequest: false });
    const request = { subjectType: 'kyc', subjectReference: 'test' };
    const { verification } = await given.countersign.verifications.create(principal, request);
    expect((await given.review.open(verification.id)).templates.ask).toHaveLength(2);
  });
});

describe('the button that inserts a template', () => {
  it('the button shows the form again with the text in the message and all that was typed, and decides nothing', async () => {
    const id = await given.submitted({ locale: 'de' });
    const typed = { 'ask.steps': 'document', 'ask.document.note': 'Front', 'ask.internalNote': 'Mine' };

    const shown = await given.act(id, 'ask', { ...typed, ...INSERT, 'ask.template': 'Blurred' });

    expect(shown.status).toBe(200);
    expect(messageIn(shown.text)).toBe('Bitte noch einmal.');
    expect(shown.text).toMatch(/<input[^>]*name="ask.steps"[^>]*value="document"[^>]*checked/);
    expect(shown.text).toContain('>Front</textarea>');
    expect(shown.text).toContain('>Mine</textarea>');
    expect(shown.text).toMatch(/<details[^>]*id="act-ask"[^>]*open/);
    expect(shown.text).not.toMatch(/<div data-fields[^>]*hidden/);
    expect((await given.review.preview(id)).status).toBe('submitted');
  });

  it.each([
    ['after what was typed', 'Dear Ada,', 'Dear Ada,\n\nPlease take it again.'],
    ['in place of another template', 'Dear Ada,\n\nBitte mit Licht.', 'Dear Ada,\n\nPlease take it again.'],
    ['once', 'Please take it again.', 'Please take it again.'],
  ])('inserts the text %s', async (_where, message, expected) => {
    const id = await given.submitted();
    const form = { ...INSERT, 'ask.template': 'Blurred', 'ask.message': message };
    expect(messageIn((await given.act(id, 'ask', form)).text)).toBe(expected);
  });

  it('the button inserts a template for a rejection', async () => {
    const id = await given.submitted({ locale: 'de' });
    const form = { ...INSERT, 'reject.template': 'Closed', 'reject.reasonCodes': 'other', confirmed: '' };
    const { text } = await given.act(id, 'reject', form);
    expect(messageIn(text, 'reject')).toBe('It is closed.');
    expect((await given.review.preview(id)).status).toBe('submitted');
  });

  it.each(['', 'Unknown'])('the form reports an unknown template at the choice: %j', async (template) => {
    const id = await given.submitted();
    const shown = await given.act(id, 'ask', { ...INSERT, 'ask.template': template, 'ask.message': 'Typed' });
    expect(shown.status).toBe(422);
    expect(shown.words).toContain('Choose a template to insert');
    expect(shown.text).toContain('href="#field-ask-template"');
    expect(messageIn(shown.text)).toBe('Typed');
  });

  it('the form has the text after the redirect that browsers follow', async () => {
    const id = await given.submitted();
    const form = { ...INSERT, 'ask.template': 'Blurred' };
    const { version } = await given.review.preview(id);
    const sent = await given.post(`/review/${id}/ask`, { ...form, expectedVersion: String(version) }, undefined, {
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Site': 'same-origin',
    });
    expect(sent.status).toBe(303);
    const [kept = ''] = (sent.headers.get('Set-Cookie') ?? '').split(';');
    const page = await given.get(`/review/${id}`, undefined, {
      Cookie: `${kept}; ${given.accounts.signedIn('rita')}`,
    });
    expect(messageIn(page.text)).toBe('Please take it again.');
  });
});
