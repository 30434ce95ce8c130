import { currentFlow } from '@countersign/domain/flows';
import { renderToString } from 'hono/jsx/dom/server';
import { describe, expect, it } from 'vitest';
import { aUser, OLGA } from '../../test-support/console.ts';
import { givenDashboard } from '../../test-support/dashboard.ts';
import { givenFlow, walk } from '../../test-support/flow.ts';
import { TYPED } from '../../test-support/flow-answers.ts';
import { WarningMark } from '../review/warnings.tsx';
import { translator } from './messages.ts';
import type { Page } from './page.ts';

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

/** The texts of a page that are written from right to left and neither in `<bdi>` nor between isolates. */
function bareIn(html: string): string[] {
  const body = html
    .replace(/<head>[\s\S]*?<\/head>/, '')
    .replace(/<(bdi|textarea|option)\b[^>]*>[\s\S]*?<\/\1>/g, '')
    .replace(/\u2068[^\u2069]*\u2069/g, '');
  return body.split(/<[^>]*>/).filter((text) => RIGHT_TO_LEFT.test(text));
}

const titleOf = (html: string): string => /<title>([^<]*)/.exec(html)?.[1] ?? '';

describe('values that are written from right to left', () => {
  it('values that are written from right to left do not reorder what stands beside them, on pages of staff', async () => {
    const given = await givenDashboard();
    given.accounts.add(aUser('sara', { role: 'reviewer', name: 'سارة' }), 'p');
    const { client } = await given.countersign.clients.create({ name: 'بنك السلام', plan: 'standard' });
    const person = { firstName: 'حسن', lastName: 'علي', dateOfBirth: '1990-01-01' };
    const id = await given.submitted({ subjectReference: 'عميل 7', answers: { person } });
    await given.act(id, 'claim', {}, 'sara');
    await given.act(id, 'note', { 'note.internalNote': 'صورة واضحة 3' }, 'sara');
    const { version } = await given.review.preview(id);
    const pages = [
      await given.get('/review', 'sara'),
      await given.get(`/review/${id}`),
      await given.get(`/review/${id}`, 'sara'),
      await given.post(`/review/${id}/approve`, { expectedVersion: String(version) }, 'sara'),
      await given.post(
        `/review/${id}/reject`,
        { expectedVersion: String(version), 'reject.reasonCodes': 'data_mismatch' },
        'sara',
      ),
      await given.open('/dashboard/verifications'),
      await given.open(`/dashboard/verifications/${id}`),
      await given.get('/admin', OLGA),
      await given.get(`/admin/clients/${client.id}`, OLGA),
      await given.get('/admin/users', OLGA),
      await given.get('/admin/audit', OLGA),
    ];
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    for (const { text } of pages) expect(bareIn(text)).toEqual([]);
    expect(pages.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length).toBeGreaterThan(8);
    expect(titleOf(pages[1]?.text ?? '')).toBe('\u2068حسن علي\u2069 – Countersign');
  });

  it('values that are written from right to left do not reorder what stands beside them, on pages of subjects', async () => {
    const given = await givenFlow({ type: 'kyb' });
    await given.countersign.appearances.change(given.clientId, { displayName: 'بنك السلام' });
    const first = await given.browser.open(await given.link());
    const { end: directors } = await walk(given, await given.start(), 'directors');
    const next = await given.browser.submit(directors, {
      ...TYPED.kyb.directors,
      'directors.0.firstName': 'حسن',
    });
    const { end: check } = await walk(given, next, 'check');
    for (const { html } of [first, check]) expect([RIGHT_TO_LEFT.test(html), bareIn(html)]).toEqual([true, []]);
    expect(check.html).toContain('حسن');
  });

  it('values that are written from right to left do not reorder a warning that names an earlier one', async () => {
    const warning = { code: 'name_mismatch', step: 'person', path: 'firstName', detail: 'حسن علي' } as const;
    const page = { t: translator('en'), language: 'en', asset: (name: string) => name } as Page;
    const verification = { flow: currentFlow('kyc'), steps: {} };
    const view = { page, query: '', reviewed: { verification } };
    const mark = renderToString(await WarningMark({ view, warning }));
    expect(mark).toContain('(<bdi>حسن علي</bdi>)');
    expect(bareIn(mark)).toEqual([]);
  });

  it('values that are written from right to left are isolated in sentences, and all other values are written as they are', () => {
    const t = translator('en');
    expect(t('staff:nav.account', { name: 'سارة' })).toBe('Account of \u2068سارة\u2069');
    expect(t('staff:nav.account', { name: 'Łucja' })).toBe('Account of Łucja');
  });
});
