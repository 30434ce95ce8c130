import { NO_TEMPLATES, type ReasonTemplate, TEMPLATES_MAX_COUNT } from '@countersign/domain/clients';
import { beforeEach, describe, expect, it } from 'vitest';
import { OLGA } from '../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';

const PAGE = '/dashboard/reason-templates';
const SETTINGS = '/dashboard/settings';

let given: GivenDashboard;
beforeEach(async () => {
  given = await givenDashboard();
});

const stored = async () => (await given.countersign.clients.get(given.clientId)).client.reasonTemplates;
const BLURRED = { name: 'Blurred', en: 'Please take it again.', de: 'Bitte noch einmal.' };
const store = (...ask: ReasonTemplate[]) => given.countersign.clients.setReasonTemplates(given.clientId, { ask });

/** What the form sends of one template for asking again. */
const typed = (n: number, { name = '', en = '', de = '' }) => ({
  [`ask.${n}.name`]: name,
  [`ask.${n}.en`]: en,
  [`ask.${n}.de`]: de,
});

describe('the message templates of a client', () => {
  it('an owner adds templates in their order, which the settings and the audit log show', async () => {
    expect((await given.open(SETTINGS)).words).toContain('Message templates Ask again None Reject None');

    const answer = await given.send(PAGE, {
      ...typed(0, { name: ' Zoo ', de: 'Zeile eins\r\nZeile zwei' }),
      ...typed(1, BLURRED),
      ...typed(2, {}),
      'reject.0.name': 'Blurred',
      'reject.0.en': 'It is closed.',
      'reject.0.de': '',
    });

    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/kyc${SETTINGS}?done=reasonTemplates`]);
    expect(await stored()).toEqual({
      ask: [{ name: 'Zoo', de: 'Zeile eins\nZeile zwei' }, BLURRED],
      reject: [{ name: 'Blurred', en: 'It is closed.' }],
    });
    const { words } = await given.open(`${SETTINGS}?done=reasonTemplates`);
    expect(words).toContain('The message templates are saved.');
    expect(words).toContain('Ask again Zoo · Blurred Reject Blurred');
    expect(await given.lastLine()).toMatchObject({
      action: 'dashboard.change_reason_templates',
      outcome: 'allowed',
      detail: { ask: 2, reject: 1 },
    });
  });

  it('the form shows the current templates, and an empty one for a decision without templates', async () => {
    await store(BLURRED);
    const { text, words } = await given.open(PAGE);
    expect(text).toMatch(/<input[^>]*name="ask.0.name"[^>]*value="Blurred"/);
    expect(text).toMatch(/<textarea[^>]*name="ask.0.de"[^>]*>Bitte noch einmal.<\/textarea>/);
    expect(text).toMatch(/<input[^>]*name="reject.0.name"[^>]*value=""/);
    expect(text).not.toContain('ask.1.name');
    expect(words).toContain('Ask again, template 1');
    expect(words).toContain(
      'At most 10 templates. Enter each text in at least one language, with at most 800 characters.',
    );
  });

  it('the form adds and removes rows without a script, keeps what was typed and saves nothing', async () => {
    await store(BLURRED);
    const form = { ...typed(0, { name: 'Typed', en: 'Text' }), ...typed(1, { name: 'Other', de: 'Wort' }) };

    const added = await given.send(PAGE, { ...form, rows: 'add:ask' });
    expect(added.status).toBe(200);
    expect(added.text).toMatch(/<input[^>]*name="ask.2.name"/);
    expect(added.text).toMatch(/<input[^>]*name="ask.0.name"[^>]*value="Typed"/);

    const removed = await given.send(PAGE, { ...form, rows: 'remove:ask.0' });
    expect(removed.text).toMatch(/<input[^>]*name="ask.0.name"[^>]*value="Other"/);
    expect(removed.text).not.toContain('value="Typed"');
    expect((await stored()).ask).toEqual([BLURRED]);
  });

  it('Enter in a field saves: the first button of the form is not one that removes a template', async () => {
    await store(BLURRED);
    const { text } = await given.open(PAGE);
    const form = text.slice(text.indexOf('id="action-form"'));
    const [first = ''] = /<button[^>]*>/.exec(form) ?? [];
    expect(first).toContain('type="submit"');
    expect(first).not.toMatch(/name=|\bhidden=""/);
  });

  it('saving an empty form removes all templates', async () => {
    await store(BLURRED);
    expect((await given.send(PAGE, typed(0, {}))).status).toBe(303);
    expect(await stored()).toEqual(NO_TEMPLATES);
  });

  it.each([
    ['an empty name', typed(0, { en: 'Text' }), 'ask.0.name', 'Ask again, template 1: Enter a name'],
    ['no text', typed(0, { name: 'A' }), 'ask.0.en', 'template 1: Enter the text in at least one language'],
    [
      'a text that is too long',
      typed(0, { name: 'A', de: 'x'.repeat(801) }),
      'ask.0.de',
      'Text in German must have at most 800 characters',
    ],
    [
      'a control character',
      typed(0, { name: 'A', de: 'a\u0007b' }),
      'ask.0.de',
      'Text in German contains characters that cannot be stored',
    ],
    [
      'a name twice',
      { ...typed(0, BLURRED), ...typed(1, { name: 'blurred', en: 'Text' }) },
      'ask.1.name',
      'template 2: Another template in this list has this name. Enter a different one',
    ],
    [
      'too many',
      Object.assign(
        {},
        ...Array.from({ length: TEMPLATES_MAX_COUNT + 1 }, (_, n) => typed(n, { name: `T${n}`, en: 'Text' })),
      ),
      'ask',
      'Ask again: at most 10 entries',
    ],
  ])('refuses %s beside its field, and nothing changes', async (_what, form, field, message) => {
    await store(BLURRED);
    const refused = await given.send(PAGE, form);
    expect(refused.status).toBe(422);
    expect(refused.words).toContain(message);
    expect(refused.text).toContain(`href="#field-${field.replaceAll('.', '-')}"`);
    expect(refused.text).toContain(`id="field-${field.replaceAll('.', '-')}"`);
    expect((await stored()).ask).toEqual([BLURRED]);
  });

  it.each([ANDY, VERA])('the page is refused to other roles, and so are their changes', async (role) => {
    expect((await given.open(SETTINGS, role)).words).not.toContain('Message templates');
    expect((await given.open(PAGE, role)).status).toBe(403);
    expect((await given.send(PAGE, typed(0, BLURRED), role)).status).toBe(403);
    expect(await stored()).toEqual(NO_TEMPLATES);
  });
});

describe('templates on the operators’ page of a client', () => {
  it('an operator sees the templates and changes them', async () => {
    const client = `/admin/clients/${given.clientId}`;
    expect((await given.open(client, OLGA)).words).toContain(
      'Message templates Change the templates Ask again None',
    );
    const answer = await given.send(`${client}/reason-templates`, typed(0, BLURRED), OLGA);
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, `/kyc${client}?done=reasonTemplates`]);
    expect((await given.open(`${client}?done=reasonTemplates`, OLGA)).words).toContain('templates are saved');
    expect(await stored()).toEqual({ ask: [BLURRED], reject: [] });
    expect(await given.lastLine()).toMatchObject({
      action: 'clients.set_reason_templates',
      clientId: given.clientId,
      detail: { ask: 1, reject: 0 },
    });
  });

  it('the page of a test twin shows no templates and refuses changes: it has those of its client', async () => {
    const twin = await given.countersign.clients.testTwin(given.clientId);
    expect((await given.open(`/admin/clients/${twin.id}`, OLGA)).words).not.toContain('Message templates');
    const refused = await given.send(`/admin/clients/${twin.id}/reason-templates`, typed(0, BLURRED), OLGA);
    expect(refused.status).toBe(422);
    expect((await given.countersign.clients.get(twin.id)).client.reasonTemplates).toEqual(NO_TEMPLATES);
  });
});
