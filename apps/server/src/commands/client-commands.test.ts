import { beforeEach, describe, expect, test } from 'vitest';
import { type Created, newOperator, type Operator } from '../../test-support/operator.ts';

let run: Operator['run'];
let json: Operator['json'];
let newClient: Operator['newClient'];
beforeEach(() => {
  const operator = newOperator();
  ({ run, json, newClient } = operator);
  return operator.close;
});

describe('client create', () => {
  test('makes a client with an active subscription', async () => {
    const client = await json(
      'client',
      'create',
      '--name',
      'Acme',
      '--plan',
      'enterprise',
      '--monthly-limit',
      '7',
    );
    expect(client).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Acme',
      sandbox: false,
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

  test('makes one without a subscription for plan none', async () => {
    expect(await json('client', 'create', '--name', 'Acme', '--plan', 'none')).toMatchObject({
      subscription: null,
    });
  });

  test('says in words what it did', async () => {
    const { out } = await run('client', 'create', '--name', 'Acme', '--plan', 'standard');
    expect(out).toMatch(/^Client [0-9a-f-]{36} \(Acme\), with a standard subscription\n$/);
  });
});

test('client list gives all, oldest first', async () => {
  expect(await json('client', 'list')).toEqual([]);
  const first = await newClient();
  const second = await newClient();
  const all = await json<Created[]>('client', 'list');
  expect(all.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect((await run('client', 'list')).out).toMatch(/^ID .*\n.*Acme {2,}standard {2}active .* 0 of 1000\n/);
});

test('client sandbox switches it on and off', async () => {
  const { id } = await newClient();
  expect(await json('client', 'sandbox', id, 'on')).toEqual({ id, name: 'Acme', sandbox: true });
  expect((await run('client', 'list')).out).toContain('  sandbox  ');
  expect((await run('client', 'sandbox', id, 'off')).out).toBe(`Client ${id} (Acme) is no sandbox\n`);
  expect(await json('client', 'list')).toMatchObject([{ sandbox: false }]);
  expect((await run('client', 'sandbox', id, 'maybe')).exitCode).toBe(2);
  expect((await run('client', 'sandbox', 'nobody', 'on')).exitCode).toBe(1);
});
