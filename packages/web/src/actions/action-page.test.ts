import { holdVerification } from '@countersign/domain/actions';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { CLARA } from '../../test-support/console.ts';
import { givenDashboard } from '../../test-support/dashboard.ts';
import { PageError } from '../site/errors.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { mountPage, requireAction } from './action-page.tsx';

it('an action whose part the storage lacks has no page', async () => {
  const app = new Hono<StaffEnv>();
  app.use(async (context, next) => {
    Reflect.apply(context.set, context, ['site', { parts: new Set() }]);
    Reflect.apply(context.set, context, ['as', { may: () => 'yes' }]);
    await next();
  });
  mountPage(app, {
    action: holdVerification,
    path: '/hold',
    back: { path: '/', label: 'review:case.back' },
    done: () => '/',
  });
  app.get('/guarded', requireAction(holdVerification), (context) => context.text('shown'));
  app.onError((error) => new Response(error instanceof PageError ? String(error.status) : 'another error'));
  const answers = [app.request('/hold'), app.request('/hold', { method: 'POST' }), app.request('/guarded')];
  expect(await Promise.all(answers.map(async (answer) => (await answer).text()))).toEqual(['404', '404', '404']);
});

it('a closed page says why without asking for the password, and no menu has a second page of the same action', async () => {
  const { countersign, get, pending, principal } = await givenDashboard();
  const erased = await pending();
  await countersign.verifications.eraseData(principal, erased, { withdraw: true });
  const { status, words } = await get(`/dashboard/verifications/${erased}/data-copy`, CLARA);
  expect(status).toBe(200);
  expect(words).toContain('There is nothing left to copy.');
  expect((await get('/dashboard', CLARA)).text).not.toContain('/dashboard/actions/');
});
