import { beforeEach, describe, expect, it } from 'vitest';
import { type Fields, OLGA } from '../../../test-support/console.ts';
import { type GivenOperator, givenOperator } from '../../../test-support/operator.ts';

const NEW = '/admin/clients/new';
const GOOD = { name: 'Gamma <b>Bank</b>', plan: 'enterprise', monthlyLimit: '5000' };

let given: GivenOperator;
let page: string;

beforeEach(async () => {
  given = await givenOperator();
  page = `/admin/clients/${given.clientId}`;
});

/** The fields of the subscription as a browser would send them. */
const formOf = async (path: string) => fieldsIn((await given.open(path)).text);

function fieldsIn(text: string): Fields {
  const form = /<form[^>]*\/subscription"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
  const inputs = (form.match(/<input[^>]*>/g) ?? []).filter(
    (input) => !input.includes('type="radio"') || input.includes(' checked'),
  );
  const attribute = (input: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  return Object.fromEntries(inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')]));
}

const found = () => given.countersign.clients.get(given.clientId);
const withoutSubscription = () => given.countersign.clients.create({ name: 'Empty', plan: 'none' });

describe('the list of clients', () => {
  it('shows plan, state and usage of each client', async () => {
    const { words } = await given.open('/admin');
    expect(words).toContain('2 clients');
    expect(words).toContain('Acme Bank Standard Active 0 of 1,000 1 min ago');
    expect(words).toContain('Other Bank Standard Active 1 of 1,000');
  });

  it('shows the state of a subscription in words', async () => {
    const { clients } = given.countersign;
    await withoutSubscription();
    await clients.setSubscription(given.clientId, { status: 'canceled' });
    await clients.setSubscription(given.foreign.clientId, { endsAt: new Date('2026-01-16T00:00:00Z') });
    given.ports.clock.set('2026-01-16T00:00:00Z');
    const { words } = await given.open('/admin');
    expect(words).toContain('Empty None No subscription 0, none allowed');
    expect(words).toContain('Acme Bank Standard Canceled 0, none allowed');
    expect(words).toContain('Other Bank Standard Ended 1, none allowed');
  });

  it('can be searched by name, and has pages', async () => {
    for (let index = 10; index < 40; index += 1) {
      await given.countersign.clients.create({ name: `Branch ${index}`, plan: 'none' });
    }
    const first = await given.open('/admin?name=BRANCH');
    expect(first.words).toContain('30 clients');
    expect(first.words).toContain('Branch 34');
    expect(first.words).not.toContain('Branch 35');
    expect(first.words).not.toContain('Acme');
    const [, next = ''] = /href="\/kyc(\/admin\?name=BRANCH&amp;after=[^"]+)" rel="next"/.exec(first.text) ?? [];
    const second = await given.open(next.replaceAll('&amp;', '&'));
    expect(second.words).toContain('Branch 35');
    expect(second.words).not.toContain('Branch 34');
    expect(second.words).toContain('This is the last page');
    const forged = await given.open('/admin?after=nobody');
    expect(forged.status).toBe(400);
    expect(forged.words).toContain('This page of the list does not exist');
    expect((await given.open(`/admin?name=${given.clientId}`)).words).toContain('1 client New client');
    expect((await given.open('/admin?name=nobody')).words).toContain('No client has a name like this');
  });
});

describe('a new client', () => {
  it('is created with a confirmed password alone', async () => {
    const toConfirm = '/kyc/account/confirm?returnTo=%2Fadmin%2Fclients%2Fnew';
    expect((await given.get(NEW, OLGA)).headers.get('Location')).toBe(toConfirm);
    expect((await given.post(NEW, GOOD, OLGA)).headers.get('Location')).toBe(toConfirm);
    expect((await given.open('/admin')).words).toContain('2 clients');
  });

  it('is set up with what was chosen, and recorded', async () => {
    const { status, headers } = await given.send(NEW, GOOD);
    expect(status).toBe(303);
    const location = (headers.get('Location') ?? '').replace('/kyc', '');
    expect(location).toMatch(/^\/admin\/clients\/[^/]+\?done=created$/);
    const shown = await given.open(location);
    expect(shown.words).toContain('The client is created');
    expect(shown.words).toContain('Gamma <b>Bank</b>');
    expect(shown.words).toContain('5,000, set for this client');
    const [allowed, made] = await given.audit();
    expect(allowed).toMatchObject({
      actor: { kind: 'operator', id: OLGA },
      action: 'clients.create',
      outcome: 'allowed',
      detail: { plan: 'enterprise', monthlyLimit: 5000 },
    });
    expect(made?.detail).toMatchObject({ of: allowed?.sequence });
    expect(location).toContain(made?.targetId);
  });

  it.each<[what: string, fields: Partial<typeof GOOD>, message: string]>([
    ['no name', { name: ' ' }, 'Enter a name'],
    ['a name of two lines', { name: 'Gamma\nBank' }, 'Enter it on one line'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'at most 100 characters'],
    ['no plan', { plan: '' }, 'Choose a plan'],
    ['an unknown plan', { plan: 'platinum' }, 'Choose a plan'],
    ['a limit with a point', { monthlyLimit: '1.5' }, 'enter a whole number'],
    ['a limit with a comma', { monthlyLimit: '5,000' }, 'enter a whole number'],
    ['a limit below zero', { monthlyLimit: '-1' }, 'enter a whole number'],
    ['a limit that is no number', { monthlyLimit: 'many' }, 'enter a whole number'],
    ['too large a limit', { monthlyLimit: '2147483648' }, 'at most 2,147,483,647'],
    ['a limit beyond all numbers', { monthlyLimit: '9'.repeat(250) }, 'at most 2,147,483,647'],
    ['a limit without a plan', { plan: 'none' }, 'A limit belongs to a plan'],
  ])('is refused with %s: what was typed stays, a line is written', async (_, fields, message) => {
    const before = await given.everything();
    const typed = { ...GOOD, ...fields };
    const { status, words, text } = await given.send(NEW, typed);
    expect(status).toBe(422);
    expect(words).toContain(message);
    expect(text).toContain(`value="${typed.monthlyLimit}"`);
    if (typed.name === GOOD.name) expect(text).toContain('value="Gamma &lt;b&gt;Bank&lt;/b&gt;"');
    expect(await given.everything()).toEqual(before);
    expect(await given.lastLine()).toMatchObject({ action: 'clients.create', outcome: 'refused' });
    expect(JSON.stringify(await given.audit())).not.toContain('Gamma');
  });
});

describe('one client', () => {
  it('shows facts, team, use and what was done', async () => {
    await given.countersign.clients.setSubscription(given.clientId, { endsAt: new Date('2027-01-01T00:00:00Z') });
    await given.send(`${page}/return-addresses`, { returnAddresses: 'https://shop.example' });
    const { words, text } = await given.open(page);
    expect(words).toContain('Acme Bank');
    expect(words).toContain('1,000 (plan default)');
    expect(words).toContain('Last day (UTC) 31 December 2026');
    expect(words).toContain('Vera <b>Viewer</b> vera@example.org Viewer Joined');
    expect(words).not.toContain('Fred');
    expect(words).toContain('Set a client’s return addresses Olga Op');
    expect(text).toContain(`href="/kyc/admin/users/new?client=${given.clientId}"`);
    expect(text).toContain(`href="/kyc/admin/audit?client=${given.clientId}"`);
    expect(text).toContain(`href="/kyc${page}/usage"`);
  });

  it('has the usage of its dashboard', async () => {
    const { words, text } = await given.open(`/admin/clients/${given.foreign.clientId}/usage`);
    expect(words).toContain('Usage of Other Bank');
    expect(words).toContain('1 of 1,000 verifications');
    expect(text).toContain('<svg');
    expect(text).toContain('aria-label="1 of 1,000 verifications used"');
    expect(words).toContain('15 January 2026 1');
  });

  it.each(['', '/subscription', '/return-addresses', '/usage'])(
    'an unknown client gets 404: …%s',
    async (part) => {
      for (const id of ['no-such-client', given.foreign.verificationId, '%00', '__proto__', 'x'.repeat(500)]) {
        expect((await given.open(`/admin/clients/${id}${part}`)).status).toBe(404);
        if (part === '/subscription' || part === '/return-addresses') {
          const before = await given.everything();
          const fields = { plan: 'standard', status: 'active', returnAddresses: '' };
          expect((await given.send(`/admin/clients/${id}${part}`, fields)).status).toBe(404);
          expect(await given.everything()).toEqual(before);
        }
        expect(await given.lastLine()).toMatchObject({ outcome: 'refused', detail: { code: 'CLIENT_NOT_FOUND' } });
      }
    },
  );
});

describe('a subscription', () => {
  const KEPT: Fields = { plan: 'standard', status: 'active', monthlyLimit: '' };
  const ends = (day: string, month: string, year: string): Fields => ({
    'endsAt.day': day,
    'endsAt.month': month,
    'endsAt.year': year,
  });

  it('is changed as a whole', async () => {
    const fields = { plan: 'enterprise', status: 'canceled', monthlyLimit: '0', ...ends('28', '2', '2027') };
    const { status, headers } = await given.send(`${page}/subscription`, fields);
    expect(status).toBe(303);
    expect(headers.get('Location')).toBe(`/kyc${page}?done=subscription`);
    expect((await found()).subscription).toMatchObject({
      plan: 'enterprise',
      status: 'canceled',
      monthlyLimit: 0,
      endsAt: new Date('2027-03-01T00:00:00Z'),
    });
    expect((await given.open(`${page}?done=subscription`)).words).toContain('The subscription is saved');
    const shown = await given.open(`${page}/subscription`);
    expect(shown.text).toMatch(/name="endsAt.day"[^>]*value="28"/);
    expect(shown.text).toMatch(/value="canceled"[^>]*checked/);
    expect(await given.lastLine()).toMatchObject({
      action: 'clients.change_subscription',
      clientId: given.clientId,
      targetId: given.clientId,
      detail: { plan: 'enterprise', status: 'canceled', monthlyLimit: 0, endsAt: '2027-03-01T00:00:00.000Z' },
    });
  });

  it("goes back to the plan's own limit and to open-ended", async () => {
    await given.countersign.clients.setSubscription(given.clientId, {
      monthlyLimit: 7,
      endsAt: new Date('2027-01-01'),
    });
    const form = await formOf(`${page}/subscription`);
    await given.send(`${page}/subscription`, { ...form, ...KEPT, ...ends('', '', '') });
    expect((await found()).subscription).toMatchObject({ monthlyLimit: null, endsAt: null });
  });

  it('that ends within a day keeps its time if the day is unchanged', async () => {
    const endsAt = new Date('2027-01-01T09:30:00Z');
    await given.countersign.clients.setSubscription(given.clientId, { endsAt });
    await given.send(`${page}/subscription`, { ...(await formOf(`${page}/subscription`)), plan: 'enterprise' });
    expect((await found()).subscription).toMatchObject({ plan: 'enterprise', endsAt });
  });

  it('set by two whose pages were open: each changes only what they changed', async () => {
    // A form that sent everything it showed would undo a change that another operator made in the meantime.
    const [ofOne, ofOther] = [await formOf(`${page}/subscription`), await formOf(`${page}/subscription`)];
    await given.send(`${page}/subscription`, { ...ofOne, monthlyLimit: '5', ...ends('28', '2', '2027') });
    const { headers } = await given.send(`${page}/subscription`, { ...ofOther, status: 'canceled' });
    expect(headers.get('Location')).toBe(`/kyc${page}?done=subscription`);
    expect((await found()).subscription).toMatchObject({
      plan: 'standard',
      status: 'canceled',
      monthlyLimit: 5,
      endsAt: new Date('2027-03-01T00:00:00Z'),
    });
    expect((await given.lastLine())?.detail).toEqual({ status: 'canceled' });
    // Of one field that both changed, the later holds.
    await given.send(`${page}/subscription`, { ...ofOther, monthlyLimit: '6' });
    expect((await found()).subscription).toMatchObject({ status: 'canceled', monthlyLimit: 6 });
  });

  it('is compared with what was shown first, also after a refusal', async () => {
    const form = { ...(await formOf(`${page}/subscription`)), status: 'canceled', monthlyLimit: 'many' };
    const refused = await given.send(`${page}/subscription`, form);
    expect(refused.status).toBe(422);
    await given.countersign.clients.setSubscription(given.clientId, { plan: 'enterprise' });
    await given.send(`${page}/subscription`, { ...fieldsIn(refused.text), monthlyLimit: '' });
    expect((await found()).subscription).toMatchObject({ plan: 'enterprise', status: 'canceled' });
  });

  it('is not changed by an unchanged form, and the page says so', async () => {
    const endsAt = new Date('2027-01-01T09:30:00Z');
    await given.countersign.clients.setSubscription(given.clientId, { monthlyLimit: 7, endsAt });
    const before = await given.everything();
    const form = await formOf(`${page}/subscription`);
    const { headers } = await given.send(`${page}/subscription`, { ...form, monthlyLimit: ' 007 ' });
    expect(headers.get('Location')).toBe(`/kyc${page}?done=unchanged`);
    expect((await given.open(`${page}?done=unchanged`)).words).toContain('Nothing was changed.');
    expect(await given.everything()).toEqual(before);
    expect((await given.lastLine())?.detail).toEqual({});
  });

  it('is created once by two operators whose pages showed none, with the fields of both', async () => {
    const { client } = await withoutSubscription();
    const path = `/admin/clients/${client.id}`;
    const [ofOne, ofOther] = [await formOf(`${path}/subscription`), await formOf(`${path}/subscription`)];
    await given.send(`${path}/subscription`, { ...ofOne, plan: 'enterprise', monthlyLimit: '5' });
    await given.send(`${path}/subscription`, { ...ofOther, plan: 'enterprise', ...ends('28', '2', '2027') });
    expect((await given.countersign.clients.get(client.id)).subscription).toMatchObject({
      plan: 'enterprise',
      status: 'active',
      monthlyLimit: 5,
      endsAt: new Date('2027-03-01T00:00:00Z'),
    });
  });

  it('is begun by a client that has none', async () => {
    const { client } = await withoutSubscription();
    const path = `/admin/clients/${client.id}`;
    expect((await given.open(path)).words).toContain('This client has no subscription');
    const refused = await given.send(`${path}/subscription`, { status: 'active' });
    expect(refused.status).toBe(422);
    expect(refused.words).toContain('Choose a plan');
    const { status } = await given.send(`${path}/subscription`, { ...KEPT, ...ends('15', '01', '2026') });
    expect(status).toBe(303);
    expect((await given.countersign.clients.get(client.id)).subscription).toMatchObject({
      plan: 'standard',
      startsAt: given.ports.clock.now(),
      endsAt: new Date('2026-01-16T00:00:00Z'),
    });
  });

  it.each<[what: string, fields: Fields, message: string]>([
    ['an unknown plan', { plan: 'platinum' }, 'Choose a plan'],
    ['an unknown status', { status: 'paused' }, 'Choose a status'],
    ['a limit that is no whole number', { monthlyLimit: '1e3' }, 'enter a whole number'],
    ['too large a limit', { monthlyLimit: '99999999999' }, 'at most 2,147,483,647'],
    ['no such day', ends('31', '2', '2027'), 'is not a date'],
    ['half a date', ends('', '2', '2027'), 'is not a date'],
    ['words for a date', ends('last', 'of', 'May'), 'is not a date'],
    ['a day after the last year that can be stored', ends('31', '12', '9999'), 'is not a date'],
    ['an end before its beginning', ends('14', '1', '2026'), 'must not be before the first day'],
  ])('is left as it is with %s: what was typed stays, a line is written', async (_, fields, message) => {
    const before = await given.everything();
    const { status, words, text } = await given.send(`${page}/subscription`, { ...KEPT, ...fields });
    expect(status).toBe(422);
    expect(words).toContain(message);
    expect(words).toContain('Acme Bank');
    for (const [name, value] of Object.entries(fields)) {
      if (name !== 'plan' && name !== 'status') {
        expect(text).toMatch(new RegExp(`name="${name}"[^>]*value="${String(value)}"`));
      }
    }
    expect(await given.everything()).toEqual(before);
    expect(await given.lastLine()).toMatchObject({
      action: 'clients.change_subscription',
      outcome: 'refused',
      clientId: given.clientId,
      targetId: given.clientId,
    });
  });
});

it.each(['yesterday', '2027-13-45T00:00:00.000Z', '-271821-04-20T00:00:00.000Z'])(
  'a refused form with the end %j is shown again',
  async (endsAt) => {
    const { status, words } = await given.send(`${page}/subscription`, { plan: 'gold', status: 'active', endsAt });
    expect(status).toBe(422);
    expect(words).toContain('Choose');
  },
);

describe('the test twin', () => {
  it('is linked from its client and back, and shows only what is its own', async () => {
    const twin = await given.countersign.clients.testTwin(given.clientId);
    const live = await given.open(page);
    expect(live.words).toContain('Change the subscription Test mode');
    expect(live.text).toContain(`href="/kyc/admin/clients/${twin.id}"`);
    const test = await given.open(`/admin/clients/${twin.id}`);
    expect(test.words).toContain('Acme Bank Test');
    expect(test.words).toContain('no subscription is needed');
    expect(test.text).toContain(`href="/kyc${page}"`);
    for (const part of ['/subscription"', '/retention"', '/flow"', 'users/new', 'id="appearance-title"']) {
      expect(live.text).toContain(part);
      expect(test.text).not.toContain(part);
    }
    expect(test.text).toContain(`/kyc/admin/clients/${twin.id}/first-key`);
  });

  it('is not in the list of clients, and its id finds its client', async () => {
    const twin = await given.countersign.clients.testTwin(given.clientId);
    expect((await given.open('/admin')).words).toContain('2 clients');
    const { words } = await given.open(`/admin?name=${twin.id}`);
    expect(words).toContain('Acme Bank Standard');
  });
});

it('the page of a client shows its flow settings, which an operator changes', async () => {
  expect((await given.open(page)).words).toContain('Minimum age 18 years (default of this installation)');
  const typed = {
    placeOfBirth: 'true',
    proofOfAddress: 'false',
    minimumAge: '21',
    linkDays: '',
    decisionWithin: '',
    readingIsAdvice: 'false',
    familyNameIndex: 'false',
    warningsInDetails: 'false',
    dueHours: '',
  };

  const changed = await given.send(`${page}/flow`, typed);

  expect(changed.headers.get('Location')).toBe(`/kyc${page}?done=flow`);
  const { words } = await given.open(`${page}?done=flow`);
  expect(words).toContain('The flow settings are saved.');
  expect(words).toContain('Minimum age 21 years');
  expect((await given.open(`${page}/flow`)).words).toContain('Acme Bank');
  expect((await given.send(`${page}/flow`, { ...typed, minimumAge: '17' })).status).toBe(422);
  expect((await given.open('/admin/clients/nobody/flow')).status).toBe(404);
  const twin = await given.countersign.clients.testTwin(given.clientId);
  expect((await given.send(`/admin/clients/${twin.id}/flow`, typed)).status).toBe(422);
});

it('speaks German', async () => {
  const confirmedAt = given.ports.clock.now();
  const german = { Cookie: `${given.accounts.signedIn(OLGA, { confirmedAt })}; language=de` };
  for (const [path, words] of [
    ['/admin', '2 Kunden'],
    [NEW, 'Neuer Kunde'],
    [page, 'Abonnement ändern'],
    [`${page}/subscription`, 'Abonnement speichern'],
    [`${page}/usage`, 'Nutzung von Acme Bank'],
  ] as const) {
    expect((await given.get(path, OLGA, german)).words).toContain(words);
  }
});

describe('the first key of a client', () => {
  it('is created by an operator, shown once and recorded with the client', async () => {
    const { client } = await given.countersign.clients.create({ name: 'New Bank', plan: 'standard' });
    const path = `/admin/clients/${client.id}/first-key`;
    expect((await given.open(`/admin/clients/${client.id}`)).text).toContain(`href="/kyc${path}"`);
    const answer = await given.send(path, { name: 'Shop', permissions: '*', expiresInDays: '30' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const [value = ''] = /csk_[0-9a-f]{64}/.exec(answer.text) ?? [];
    const { clientId } = await given.countersign.authenticate(value);
    expect(clientId).toBe(client.id);
    expect(await given.lastLine()).toMatchObject({
      action: 'clients.create_first_api_key',
      actor: { kind: 'operator' },
      clientId: client.id,
      outcome: 'allowed',
    });

    const page = await given.open(`/admin/clients/${client.id}`);
    expect(page.words).toContain('1 active key');
    expect(page.text).not.toContain(path);
    expect((await given.open(path)).words).toContain('This client already has an active key.');
    const again = await given.send(path, { name: 'Shop', permissions: '*', expiresInDays: '30' });
    expect(again.status).toBe(409);
    expect(again.words).toContain('This client already has an active key.');
    expect(again.text).not.toMatch(/csk_[0-9a-f]{64}/);
    expect(await given.countersign.apiKeys.list(client.id)).toHaveLength(1);
    expect(await given.lastLine()).toMatchObject({
      action: 'clients.create_first_api_key',
      outcome: 'refused',
      detail: { code: 'API_KEY_EXISTS' },
    });
  });
});
