// Starts the command line for each case.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subscription } from '@countersign/domain/clients';
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { type Created, operatorOfEachTest } from '../../test-support/operator.ts';

const operator = operatorOfEachTest();
const { run, json, newClient } = operator;

describe('client create', () => {
  test('creates a client with an active subscription', async () => {
    const client = await json('client create --name Acme --plan enterprise --monthly-limit 7');
    expect(client).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Acme',
      testId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      returnAddresses: [],
      fileAccess: false,
      flowSettings: {
        placeOfBirth: false,
        proofOfAddress: false,
        minimumAge: null,
        linkDays: null,
        decisionWithin: null,
        readingIsAdvice: false,
        familyNameIndex: false,
        warningsInDetails: false,
        dueHours: null,
      },
      reasonTemplates: { ask: [], reject: [] },
      createdAt: expect.stringMatching(/Z$/),
      subscription: {
        plan: 'enterprise',
        status: 'active',
        monthlyLimit: 7,
        startsAt: expect.stringMatching(/Z$/),
        endsAt: null,
      },
      usage: { month: expect.stringMatching(/^\d{4}-\d\d$/), used: 0, allowance: 7 },
    });
  });

  test('creates a client without a subscription for plan none', async () => {
    expect(await json('client create --name Acme --plan none')).toMatchObject({ subscription: null });
  });

  test('prints the client and its plan as text', async () => {
    const { out } = await run('client create --name Acme --plan standard');
    expect(out).toMatch(
      /^Client [0-9a-f-]{36} \(Acme\), with a standard subscription\. Its test twin is [0-9a-f-]{36}\n$/,
    );
  });
});

test('every command takes the id that it needs as an argument or as an option, but not twice', async () => {
  const { id } = await newClient();
  const read = await json(`client get ${id}`);
  expect(read).toMatchObject({ client: { id } });
  expect(await json(`client get --client ${id}`)).toEqual(read);
  expect(await json(`client retention --client ${id}`)).toEqual(await json(`client retention ${id}`));
  expect(await json(`subscription set ${id} --plan enterprise`)).toMatchObject({ clientId: id });
  const user = await json<Created>('user create --email ann@example.com --role reviewer');
  expect(await json('user get ann@example.com')).toMatchObject({ id: user.id });
  expect(await json('user get --email ann@example.com')).toMatchObject({ id: user.id });
  for (const command of ['client get', `client get ${id} --client ${id}`]) {
    expect(await run(command)).toEqual({
      exitCode: 2,
      out: '',
      err: "countersign: give the client's id once, as the argument or with --client\n",
    });
  }
});

test('client list: prints all clients, oldest first', async () => {
  expect(await json('client list')).toEqual([]);
  const first = await newClient();
  const second = await newClient();
  const all = await json<Created[]>('client list');
  expect(all.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect((await run('client list')).out).toMatch(
    /^ID .*\n.*Acme {2}[0-9a-f-]{36} {2}standard {2}active .* 0 of 1000\n/,
  );
});

const PERIODS = '--approved-after-end P5Y --approved-longest P12Y --unfinished P30D --replaced-uploads P7D';

describe('client set-retention', () => {
  test('replaces the policy, which client retention shows with the shortest allowed times', async () => {
    const { id } = await newClient();
    const set = await json<object>(`client set-retention ${id} ${PERIODS} --rejected P6Y`);
    expect(set).toMatchObject({
      clientId: id,
      isOwn: true,
      policy: { approvedLongest: 'P12Y', rejected: 'P6Y', replacedUploads: 'P7D' },
      floor: { rejected: 'P5Y' },
    });
    expect(await json(`client retention ${id}`)).toEqual(set);
    expect((await run(`client retention ${id}`)).out).toMatch(
      /^Client .*: its own policy, by days in UTC\nKEPT FOR .*\nP5Y .*\nP12Y .*\nP6Y .*Shortest allowed: approved P5Y, /s,
    );
    expect(await json(`client set-retention ${id} --use-default`)).toMatchObject({ isOwn: false });
  });

  test('refuses a period under the floor, a policy that is not whole, and an unknown client', async () => {
    const { id } = await newClient();
    expect(await run(`client set-retention ${id} ${PERIODS} --rejected P4Y`)).toMatchObject({
      exitCode: 2,
      err: "countersign: option '--rejected': must be at least P5Y\n",
    });
    expect((await run(`client set-retention ${id} ${PERIODS}`)).err).toBe(
      "countersign: option '--rejected': is required\n",
    );
    expect((await run('client retention unknown')).err).toContain('(CLIENT_NOT_FOUND)');
    expect(await json(`client retention ${id}`)).toMatchObject({ isOwn: false });
  });

  test('uses the floor and the default of the installation', async () => {
    const { id } = await newClient();
    const settings = { RETENTION_REJECTED: 'P8Y', RETENTION_FLOOR_REJECTED: 'P7Y' };
    const { out } = await runCommand(['client', 'retention', id, '--json'], {
      DATA_DIR: operator.dataDir,
      ...settings,
    });
    expect(JSON.parse(out)).toMatchObject({ policy: { rejected: 'P8Y' }, floor: { rejected: 'P7Y' } });
  });
});

describe('client set-flow', () => {
  const set = (id: string, given: object) => {
    const all = {
      'place-of-birth': 'off',
      'proof-of-address': 'off',
      'minimum-age': 'default',
      'link-days': 'default',
      'decision-within': 'none',
      'reading-is-advice': 'off',
      'family-name-index': 'off',
      'warnings-in-details': 'off',
      'due-hours': 'none',
      ...given,
    };
    return `client set-flow ${id} ${Object.entries(all)
      .map(([name, value]) => `--${name} ${value}`)
      .join(' ')}`;
  };

  test('replaces the flow settings, which client flow shows', async () => {
    const { id } = await newClient();
    const changed = {
      'proof-of-address': 'on',
      'minimum-age': 21,
      'link-days': 7,
      'decision-within': 'hours',
      'family-name-index': 'on',
      'warnings-in-details': 'on',
      'due-hours': 24,
    };
    const flow = await json<object>(set(id, changed));
    expect(flow).toMatchObject({
      clientId: id,
      settings: {
        placeOfBirth: false,
        proofOfAddress: true,
        minimumAge: 21,
        linkDays: 7,
        decisionWithin: 'hours',
        familyNameIndex: true,
        warningsInDetails: true,
        dueHours: 24,
      },
    });
    expect(await json(`client flow ${id}`)).toEqual(flow);
    const shown = (text: string) => text.replaceAll(/ {2,}/g, ' ');
    expect(shown((await run(`client flow ${id}`)).out)).toBe(
      `Client ${id}:\nSETTING VALUE\nplace-of-birth not asked\nproof-of-address asked\nminimum-age 21 years\nlink-days 7 days\ndecision-within hours\nreading-is-advice off\nfamily-name-index on\nwarnings-in-details on\ndue-hours 24 hours\n`,
    );
    expect(shown((await run(set(id, {}))).out)).toContain(
      "minimum-age 18 years (the installation's)\nlink-days 30 days (the installation's)\ndecision-within not shown\n",
    );
  });

  test('refuses bad values, settings that are missing, a test twin and an unknown client', async () => {
    const { id } = await newClient();
    const before = await json(`client flow ${id}`);
    expect(await run(set(id, { 'minimum-age': 17 }))).toMatchObject({
      exitCode: 2,
      err: "countersign: option '--minimum-age': must be at least 18\n",
    });
    for (const given of [
      { 'minimum-age': 101 },
      { 'minimum-age': 'old' },
      { 'minimum-age': 'none' },
      { 'link-days': 0 },
      { 'link-days': 91 },
      { 'link-days': '-7' },
      { 'decision-within': 'weeks' },
      { 'place-of-birth': 'maybe' },
    ]) {
      expect((await run(set(id, given))).exitCode, JSON.stringify(given)).toBe(2);
    }
    expect((await run(`client set-flow ${id} --minimum-age 21`)).exitCode).toBe(2);
    const { testId } = await json<{ testId: string }>('client create --name Other --plan none');
    expect((await run(set(testId, {}))).exitCode).toBe(2);
    expect((await run('client flow unknown')).err).toContain('(CLIENT_NOT_FOUND)');
    expect(await json(`client flow ${id}`)).toEqual(before);
  });
});

test('client list: shows a client with its test twin as one entry', async () => {
  const { id } = await newClient();
  const listed = await json<{ id: string; testId: string }[]>('client list');
  expect(listed.map((client) => client.id)).toEqual([id]);
  const testId = listed[0]?.testId ?? '';
  expect(testId).not.toBe(id);
  expect((await run('client list')).out).toContain(testId);
  expect((await run(`key create --client ${testId} --permissions *`)).exitCode).toBe(0);
  expect((await run(`subscription set --client ${testId} --plan standard`)).exitCode).toBe(2);
});

test('client return-addresses: replaces the list, and "" empties it', async () => {
  const { id } = await newClient();
  const set = (addresses: string) => ['client', 'return-addresses', id, '--addresses', addresses] as const;
  const returnAddresses = ['https://shop.example/kyc', 'https://app.shop.example/'];
  expect(await json(...set(returnAddresses.join(' ')))).toEqual({ id, name: 'Acme', returnAddresses });
  expect(await json(`client get --client ${id}`)).toMatchObject({ client: { returnAddresses } });
  const refused = await run(...set('https://shop.example/ javascript:alert(1)'));
  expect(refused.exitCode).not.toBe(0);
  expect(refused.err).toContain("option '--addresses', value 2: must be a URL that begins with https://");
  expect(await json('client list')).toMatchObject([{ returnAddresses }]);
  expect((await run(...set(''))).out).toBe(`Client ${id} (Acme): no return addresses\n`);
  expect(await json('client list')).toMatchObject([{ returnAddresses: [] }]);
});

test('client return-addresses: production refuses localhost and changes nothing, development accepts it', async () => {
  const { id } = await newClient();
  const args = ['client', 'return-addresses', id, '--addresses', 'http://localhost:3000/done', '--json'];
  const environment = { DATA_DIR: operator.dataDir, NODE_ENV: 'production' };
  const refused = await runCommand(args, { ...environment, PUBLIC_BASE_URL: 'https://verify.example' });
  expect(refused).toMatchObject({
    exitCode: 2,
    out: '',
    err: expect.stringContaining("the subject's own device"),
  });
  expect(await json('client list')).toMatchObject([{ returnAddresses: [] }]);
  const accepted = await runCommand(args, { ...environment, NODE_ENV: 'development' });
  expect(JSON.parse(accepted.out)).toMatchObject({ returnAddresses: ['http://localhost:3000/done'] });
});

describe('subscription set', () => {
  test('changes only the given fields', async () => {
    const { id } = await newClient('--monthly-limit', '5');
    const set = (...options: string[]) => json(`subscription set --client ${id}`, ...options);

    expect(await set('--status', 'canceled')).toMatchObject({ clientId: id, status: 'canceled', monthlyLimit: 5 });
    expect(await set('--plan', 'enterprise', '--monthly-limit', 'default')).toMatchObject({
      plan: 'enterprise',
      status: 'canceled',
      monthlyLimit: null,
    });
    expect(await set('--ends-at', '2099-01-31T12:00:00+02:00')).toMatchObject({
      endsAt: '2099-01-31T10:00:00.000Z',
    });
    expect(await set('--ends-at', '2099-01-31')).toMatchObject({ endsAt: '2099-01-31T00:00:00.000Z' });
    expect(await set('--ends-at', 'never')).toMatchObject({ endsAt: null });
  });

  test('shows an expired subscription as ended', async () => {
    const { id } = await newClient();
    const { startsAt } = await json<Subscription>(`subscription set --client ${id} --status active`);
    const end = new Date(new Date(startsAt).getTime() + 1).toISOString();
    const { out } = await run(`subscription set --client ${id} --ends-at ${end}`);
    expect(out).toContain(': standard, ended, ');
    expect(out).toMatch(new RegExp(`until ${end}\\n$`));
    expect((await run('client list')).out).toMatch(new RegExp(`standard {2}ended {2,}${end}`));
    await run(`subscription set --client ${id} --status canceled`);
    expect((await run('client list')).out).toMatch(new RegExp(`standard {2}canceled {2}${end}`));
  });

  test('refuses an end before the start', async () => {
    const { id } = await newClient();
    expect(await run(`subscription set --client ${id} --ends-at 2020-01-31`)).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^countersign: option '--ends-at': must be after the start, [\d-]{10}T.*Z\n$/),
    });
    expect((await run('client list')).out).toMatch(/standard {2}active/);
  });

  test('requires a plan for a client’s first subscription', async () => {
    const { id } = await json<Created>('client create --name Acme --plan none');
    expect(await run(`subscription set --client ${id} --status active`)).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^countersign: option '--plan': is required for the first subscription\n$/),
    });
    const set = await json(`subscription set --client ${id} --plan standard`);
    expect(set).toMatchObject({ plan: 'standard', status: 'active' });
  });
});

describe('client set-templates', () => {
  const TEMPLATES = {
    ask: [{ name: 'Blurred', en: 'Please take it again.', de: 'Bitte noch einmal.' }],
    reject: [{ name: 'Closed', en: 'It is closed.' }],
  };
  const fileWith = (content: string) => {
    const file = join(operator.dataDir, 'templates.json');
    writeFileSync(file, content);
    return file;
  };

  test('client set-templates: replaces the templates by those of a file; client get shows them', async () => {
    const { id } = await newClient();
    const file = fileWith(JSON.stringify(TEMPLATES));
    expect((await run(`client set-templates ${id} --file ${file}`)).out).toMatch(
      /^Client .*: 1 templates to ask, 1 templates to reject\n$/,
    );
    const shown = async () => (await json<{ client: object }>(`client get ${id}`)).client;
    expect(await shown()).toMatchObject({ reasonTemplates: TEMPLATES });
    expect(await json(`client set-templates ${id} --file ${fileWith('{}')}`)).toMatchObject({
      reasonTemplates: { ask: [], reject: [] },
    });
    expect(await shown()).toMatchObject({ reasonTemplates: { ask: [], reject: [] } });
  });

  test.each([
    ['{"ask": [{"name": "A"}]}', "option '--ask', value 1: is required in at least one language"],
    ['{"ask": [{"name": "A", "fr": "Texte", "en": "Text"}]}', 'is not a known field'],
    ['{"clientId": "x", "approve": []}', 'is not a known field'],
    ['[]', 'does not contain a JSON object'],
    ['{"ask":', 'does not contain a JSON object'],
  ])('refuses a file with %s and changes nothing', async (content, message) => {
    const { id } = await newClient();
    await run(`client set-templates ${id} --file ${fileWith(JSON.stringify(TEMPLATES))}`);
    const refused = await run(`client set-templates ${id} --file ${fileWith(content)}`);
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining(message) });
    expect((await json<{ client: object }>(`client get ${id}`)).client).toMatchObject({
      reasonTemplates: TEMPLATES,
    });
  });

  test('client set-templates: refuses a missing file, and a test twin', async () => {
    const { id } = await newClient();
    expect((await run(`client set-templates ${id} --file ${operator.dataDir}/none.json`)).err).toContain('ENOENT');
    const { testId } = await json<{ testId: string }>('client create --name Other --plan none');
    const refused = await run(`client set-templates ${testId} --file ${fileWith('{}')}`);
    expect(refused).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('has the templates of its client'),
    });
  });
});
