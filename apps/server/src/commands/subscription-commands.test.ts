import type { Subscription } from '@countersign/domain';
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

describe('subscription set', () => {
  test('sets what is given and leaves the rest', async () => {
    const { id } = await newClient('--monthly-limit', '5');
    const set = (...options: string[]) => json('subscription', 'set', '--client', id, ...options);

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

  test('one that is over is shown as ended', async () => {
    const { id } = await newClient();
    const { startsAt } = await json<Subscription>('subscription', 'set', '--client', id, '--status', 'active');
    const end = new Date(new Date(startsAt).getTime() + 1).toISOString();
    const { out } = await run('subscription', 'set', '--client', id, '--ends-at', end);
    expect(out).toContain(': standard, ended, ');
    expect(out).toMatch(new RegExp(`until ${end}\\n$`));
    expect((await run('client', 'list')).out).toMatch(new RegExp(`standard {2}ended {2,}${end}`));
    await run('subscription', 'set', '--client', id, '--status', 'canceled');
    expect((await run('client', 'list')).out).toMatch(new RegExp(`standard {2}canceled {2}${end}`));
  });

  test('does not end one before its start', async () => {
    const { id } = await newClient();
    expect(await run('subscription', 'set', '--client', id, '--ends-at', '2020-01-31')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^countersign: option '--ends-at': must be after the start, [\d-]{10}T.*Z\n$/),
    });
    expect((await run('client', 'list')).out).toMatch(/standard {2}active/);
  });

  test('gives one to a client that has none, with a plan', async () => {
    const { id } = await json<Created>('client', 'create', '--name', 'Acme', '--plan', 'none');
    expect(await run('subscription', 'set', '--client', id, '--status', 'active')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/^countersign: option '--plan': is required for the first subscription\n$/),
    });
    const set = await json('subscription', 'set', '--client', id, '--plan', 'standard');
    expect(set).toMatchObject({ plan: 'standard', status: 'active' });
  });
});
