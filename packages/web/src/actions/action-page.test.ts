import { CountersignError, type ErrorCode, type ErrorData } from '@countersign/domain';
import {
  type Action,
  type ActionEntry,
  defineAction,
  holdVerification,
  renewVerificationLink,
} from '@countersign/domain/actions';
import { createCountingSecrets } from '@countersign/memory';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { CLARA, wordsOf } from '../../test-support/console.ts';
import { givenDashboard } from '../../test-support/dashboard.ts';
import { aPage } from '../../test-support/drawn.ts';
import type { FieldProps } from '../forms/draw-field.tsx';
import { PageError } from '../site/errors.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { type ActionPage, mountPage, requireAction } from './action-page.tsx';

const BACK = { path: '/', label: 'review:case.back' } as const;

/** An app whose pages find these values in their context. */
function appWith(values: Readonly<Record<string, unknown>>): Hono<StaffEnv> {
  const app = new Hono<StaffEnv>();
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(values)) Reflect.apply(context.set, context, [name, value]);
    await next();
  });
  app.onError((error) => new Response(error instanceof PageError ? String(error.status) : 'another error'));
  return app;
}

it('an action whose part the storage lacks has no page', async () => {
  const app = appWith({ site: { parts: new Set() }, as: { may: () => 'yes' } });
  mountPage(app, { action: holdVerification, path: '/hold', back: BACK, done: () => '/' });
  app.get('/guarded', requireAction(holdVerification), (context) => context.text('shown'));
  const answers = [app.request('/hold'), app.request('/hold', { method: 'POST' }), app.request('/guarded')];
  expect(await Promise.all(answers.map(async (answer) => (await answer).text()))).toEqual(['404', '404', '404']);
});

it('a page is refused to a role that may not run its action, and the refusal is recorded', async () => {
  const refusals: unknown[] = [];
  const app = appWith({
    page: aPage(),
    site: { parts: new Set(['retention']), options: { signIn: { signOutPath: '/out' } } },
    user: { id: 'rita', name: 'Rita', role: 'reviewer' },
    as: { may: () => 'no', recordRefusal: async (refusal: unknown) => refusals.push(refusal) },
  });
  app.get('/guarded', requireAction(holdVerification), (context) => context.text('shown'));
  expect((await app.request('/guarded')).status).toBe(403);
  expect(refusals).toEqual([expect.objectContaining({ detail: expect.objectContaining({ reason: 'role' }) })]);
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

describe('the form of an action', () => {
  interface Hold {
    readonly verificationId: string;
    readonly reason: string;
    readonly until?: string | undefined;
    readonly note?: string | undefined;
    readonly people?: readonly { readonly name: string }[] | undefined;
    readonly idempotencyKey?: string | undefined;
  }

  /** An action with the texts of another one. */
  const actionLike = ({ id }: Pick<ActionEntry, 'id'>): Action<Hold, void> =>
    defineAction<Hold, void>({
      id,
      who: ['operator'],
      fields: {
        verificationId: { kind: 'id', by: 'page' },
        reason: { kind: 'text', max: 100, by: 'subject' },
        until: { kind: 'text', max: 100, absence: {} },
        note: { kind: 'text', max: 100, optional: true },
        people: { kind: 'rows', max: 2, fields: { name: { kind: 'text', max: 100 } }, optional: true },
        idempotencyKey: { kind: 'id', by: 'page', optional: true },
      },
      outcomes: ['TOO_MANY_RENEWALS', 'ILLEGAL_TRANSITION'],
      run: async () => undefined,
    });

  const drawnName = ({ name, isAboutOther }: FieldProps) => (isAboutOther ? `[${name}]` : name);

  const given = (more: Partial<ActionPage<Hold, void>> = {}, failure: Error | null = null) => {
    const inputs: unknown[] = [];
    const app = appWith({
      page: aPage(),
      site: {
        mailsUsers: true,
        parts: new Set(),
        options: { signIn: { signOutPath: '/out' }, secrets: createCountingSecrets() },
      },
      area: { name: 'admin', menu: () => [], styles: [] },
      user: { id: 'olga', name: 'Olga', role: 'operator' },
      as: {
        may: () => 'yes',
        runUnchecked: async (_action: unknown, input: unknown) => {
          inputs.push(input);
          if (failure !== null) throw failure;
        },
      },
    });
    mountPage(app, {
      action: actionLike(holdVerification),
      path: '/:verificationId/:place',
      back: BACK,
      // The address supplies `verificationId`, so that the form does not show it.
      shows: ['verificationId', 'reason', 'until'],
      initial: () => ({ reason: 'a lawsuit', note: 'hidden' }),
      controls: Object.fromEntries(
        ['verificationId', 'reason', 'until', 'note', 'people'].map((key) => [key, drawnName]),
      ),
      below: (_subject, values) => values.names.join(' and '),
      done: () => '/done',
      ...more,
    });
    return {
      inputs,
      get: async () => textOf(await app.request('/case-1/here')),
      post: async (fields: Readonly<Record<string, string>> = {}) =>
        textOf(await app.request('/case-1/here', { method: 'POST', body: new URLSearchParams(fields) })),
    };
  };

  async function textOf(answer: Response) {
    const text = await answer.text();
    return { status: answer.status, text, words: wordsOf(text), location: answer.headers.get('Location') };
  }

  const refused = (code: ErrorCode, data?: ErrorData) => new CountersignError(code, undefined, data && { data });

  it('shows the fields that the page names, and fills them in', async () => {
    const { text, words } = await given().get();
    expect(words).toContain('[reason][until] Put on hold');
    expect(words).toContain('A hold prevents the erasure');
    expect(words).not.toMatch(/\[(note|verificationId)\]/);
    expect(words).toContain('reason and until-absent');
    expect(text).not.toContain('class="notice');
    expect(text.match(/<button type="submit"[^>]*>Put on hold/g)).toHaveLength(1);
  });

  it('begins with a hidden button for the Enter key if rows have buttons', async () => {
    const { text } = await given({ shows: ['reason', 'people'] }).get();
    expect(text.match(/<button type="submit"[^>]*>Put on hold/g)).toHaveLength(2);
  });

  it('shows what users receive by e-mail instead of its explanation', async () => {
    const { words } = await given({ mailed: () => 'A link is sent', intro: () => 'Send the link' }).get();
    expect(words).toContain('A link is sent');
    expect(words).not.toContain('A hold prevents');
    expect(words).not.toContain('Send the link');
  });

  it('shows no empty paragraph for an action without an explanation', async () => {
    const { text } = await given({ action: actionLike({ id: 'holds.unexplained' }) }).get();
    expect(text).not.toContain('<p></p>');
  });

  it.each([
    ['a'.repeat(32), `dashboard-form:${'a'.repeat(32)}`],
    [`g${'a'.repeat(32)}`, null],
    [`${'a'.repeat(32)}g`, null],
    ['', null],
  ])('sends what was typed, what the address says, and the form id %j', async (formId, idempotencyKey) => {
    const { inputs, post } = given();
    const { status, location } = await post({ reason: 'r', until: 'u', note: 'n', formId });
    expect([status, location]).toEqual([303, '/kyc/done']);
    expect(inputs).toEqual([{ verificationId: 'case-1', reason: 'r', until: 'u', idempotencyKey }]);
  });

  it('shows issues beside their fields, and others above the form', async () => {
    const issues = ['reason', 'note', 'verificationId'].map(
      (path) => ({ path, code: 'required', message: '' }) as const,
    );
    const { status, text, words } = await given({}, refused('INVALID_PARAMETERS', { issues })).post();
    expect(status).toBe(422);
    expect(text).toContain('<a href="#field-reason">Enter a reason</a>');
    expect(text.match(/Enter a reason/g)).toHaveLength(1);
    expect(text).toMatch(/<div class="notice[^"]*"[^>]* role="alert"/);
    const above = issues.slice(0, 1);
    const shown = await given({}, refused('INVALID_PARAMETERS', { issues: above })).post();
    expect(shown.text).not.toContain('class="notice');
    expect(words).not.toBe(shown.words);
  });

  it('shows a refusal without issues as it is', async () => {
    const { status, text } = await given({}, refused('INVALID_PARAMETERS')).post();
    expect(status).toBe(422);
    expect(text).not.toContain('<a href="#field-');
  });

  it('shows an outcome with its time above the form, or beside its field', async () => {
    const failure = refused('TOO_MANY_RENEWALS', { retryAt: '2026-01-15T12:00:00.000Z' });
    const action = actionLike(renewVerificationLink);
    const above = await given({ action }, failure).post();
    expect(above.status).toBe(409);
    expect(above.text).toMatch(/<div class="notice[^"]*"[^>]* role="alert"/);
    expect(above.words).toContain('from 15 Jan 2026, 12:00 UTC');
    const beside = await given({ action, fieldOf: { TOO_MANY_RENEWALS: 'until' } }, failure).post();
    expect(beside.status).toBe(409);
    expect(beside.text).toContain('<a href="#field-until">');
    expect(beside.text).not.toContain('class="notice');
  });

  it('gives the reason why it is closed, without an alert', async () => {
    const { text } = await given({ closed: () => 'It is closed' }).get();
    expect(text).toMatch(/<div class="notice[^>]*>[\s\S]*It is closed/);
    expect(text).not.toContain('role="alert"');
  });

  it('an error that only has the code of an outcome is a fault, not a refusal', async () => {
    const fault = Object.assign(new Error('canary'), { code: 'ILLEGAL_TRANSITION' });
    expect((await given({}, fault).post()).text).toBe('another error');
  });
});
