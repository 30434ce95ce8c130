import { ACTIONS, type Action, defineAction } from '@countersign/domain/actions';
import { expect, it } from 'vitest';
import { CLARA, OLGA, RITA } from '../../test-support/console.ts';
import { givenOperator } from '../../test-support/operator.ts';
import german from '../locales/de/actions.json' with { type: 'json' };
import english from '../locales/en/actions.json' with { type: 'json' };

// An action is one entry of the catalogue and two texts, in English and in German. Nothing else of the web knows it.
interface Notice {
  readonly level: 'info' | 'warning';
  readonly text?: string | undefined;
}

const postNotice: Action<Notice, Notice> = defineAction<Notice, Notice>({
  id: 'notices.post',
  who: ['operator', 'command_line'],
  fields: {
    level: { kind: 'choice', of: ['info', 'warning'] },
    text: { kind: 'text', max: 100, optional: true },
  },
  audit: { keep: ['level'] },
  outcomes: [],
  run: async (_services, input) => input,
});

// The texts of the installation are these objects.
const texts = (name: string) => ({ name, title: name, submit: name });
Object.assign(english, { breaks: { team: texts('Take a break') } });
Object.assign(german, { breaks: { team: texts('Pause machen') } });
Object.assign(english, { notices: { post: { name: 'Post a notice', title: 'Notice', submit: 'Post it' } } });
Object.assign(german, { notices: { post: { name: 'Hinweis geben', title: 'Hinweis', submit: 'Senden' } } });

Object.assign(english.clients, { flag: texts('Flag a client') });
Object.assign(german.clients, { flag: texts('Kunden markieren') });

const PATH = '/admin/actions/notices/post';
const given = (options = { actions: [...ACTIONS, postNotice] }) => givenOperator(options);

it('a new action has its page and its menu item in each language', async () => {
  const { open, get, accounts, ports } = await given();
  expect((await open('/admin')).text).toContain(`href="/kyc${PATH}"`);
  const { status, words, text } = await open(PATH);
  expect(status).toBe(200);
  expect(words).toContain('Post it');
  expect(text).toMatch(/type="radio"[^>]*name="level"|name="level"[^>]*type="radio"/);
  const cookie = accounts.signedIn(OLGA, { confirmedAt: ports.clock.now() });
  expect((await get(PATH, OLGA, { Cookie: `${cookie}; language=de` })).words).toMatch(/Hinweis .*Senden/);
});

it('a new action runs from its page and leads to its line in the audit log', async () => {
  const { send, open, lastLine } = await given();
  const { headers } = await send(PATH, { level: 'warning', text: 'Back at noon' });
  expect(headers.get('Location')).toBe('/kyc/admin/audit?action=notices.post');
  expect(await lastLine()).toMatchObject({
    action: 'notices.post',
    outcome: 'allowed',
    detail: { level: 'warning' },
  });
  expect((await open('/admin/audit?action=notices.post')).words).toContain('Post a notice Olga Op');
});

it('a new action refuses a bad form beside its field and leaves one line', async () => {
  const { send, lastLine } = await given();
  const { status, text } = await send(PATH, { level: 'loud' });
  expect(status).toBe(422);
  expect(text).toContain('id="field-level-error"');
  expect(await lastLine()).toMatchObject({
    action: 'notices.post',
    outcome: 'refused',
    detail: { fields: 'level' },
  });
});

it.each([
  [CLARA, '/dashboard', { right: 'manage_team' }],
  [RITA, '/review', 'reviewer'],
] as const)('a new action of %s has its page in %s and runs from it', async (user, area, who) => {
  const pause = defineAction<object, void>({
    id: 'breaks.team',
    who: [who],
    fields: {},
    outcomes: [],
    run: async () => undefined,
  });
  const { open, send, lastLine } = await given({ actions: [...ACTIONS, pause] });
  const path = `${area}/actions/breaks/team`;
  expect((await open(area, user)).text).toContain(`href="/kyc${path}"`);
  expect((await open(path, user)).words).toContain('Take a break');
  const { headers } = await send(path, {}, user);
  expect(headers.get('Location')).toBe(`/kyc${area}?done=action`);
  expect((await open(`${area}?done=action`, user)).words).toContain('Done.');
  expect(await lastLine()).toMatchObject({ actor: { id: user }, action: 'breaks.team', outcome: 'allowed' });
});

it('a new action on a client is linked from the client and has its id in the address', async () => {
  const flag = defineAction<{ readonly clientId: string }, void>({
    id: 'clients.flag',
    who: [{ right: 'manage_team' }, 'operator'],
    fields: { clientId: { kind: 'id', by: 'page' } },
    audit: { target: 'clientId', client: 'clientId' },
    outcomes: [],
    run: async () => undefined,
  });
  const { open, send, clientId, lastLine } = await given({ actions: [...ACTIONS, flag] });
  const path = `/admin/actions/clients/flag/${clientId}`;
  expect((await open(`/admin/clients/${clientId}`)).text).toContain(`href="/kyc${path}"`);
  expect((await open('/admin')).text).not.toContain('/actions/clients/flag');
  expect((await open(path)).words).toContain('Flag a client Acme Bank');
  expect((await open('/admin/actions/clients/flag/nope')).status).toBe(404);
  expect((await send(path, {})).status).toBe(303);
  expect(await lastLine()).toMatchObject({ action: 'clients.flag', clientId, targetId: clientId });
  // Its first group of callers works in the dashboard.
  expect((await open(`/dashboard/actions/clients/flag/${clientId}`, CLARA)).words).toContain('Flag a client');
});

it.each([
  ['/dashboard', CLARA, 'clientId'],
  ['/dashboard', CLARA, 'keyId'],
  ['/dashboard', CLARA, 'userId'],
  ['/dashboard', CLARA, 'verificationId'],
  ['/review', RITA, 'clientId'],
  ['/review', RITA, 'verificationId'],
])('a new action of %s answers 404 to %s for an unknown %s, and names a known one', async (area, user, id) => {
  const look = defineAction<Readonly<Record<string, string>>, void>({
    id: 'clients.flag',
    who: [{ right: 'manage_team' }, 'reviewer'],
    fields: { [id]: { kind: 'id', by: 'page' } },
    outcomes: [],
    run: async () => undefined,
  });
  const { open, countersign, clientId, principal } = await given({ actions: [...ACTIONS, look] });
  const path = `${area}/actions/clients/flag`;
  for (const unknown of ['nope', '__proto__', '%00']) {
    expect((await open(`${path}/${unknown}`, user)).status, unknown).toBe(404);
  }
  const { key } = await countersign.apiKeys.issue(clientId, { name: 'till', permissions: ['*'] });
  const input = { subjectType: 'kyc', subjectReference: 'user_77' };
  const { verification } = await countersign.verifications.create(principal, input);
  const known: Readonly<Record<string, readonly [id: string, name: string]>> = {
    clientId: [clientId, 'Acme Bank'],
    keyId: [key.id, 'till'],
    userId: [CLARA, 'Clara Client'],
    verificationId: [verification.id, 'user_77'],
  };
  const [knownId = '', name = ''] = known[id] ?? [];
  const { status, words } = await open(`${path}/${knownId}`, user);
  expect(status).toBe(200);
  expect(words).toContain(`Flag a client ${name}`);
});
