import { nameClients, releaseExport } from '@countersign/domain/actions';
import { type ExportRequest, NO_RELEASE } from '@countersign/domain/exports';
import { describe, expect, it } from 'vitest';
import { aContext, drawn } from '../../../test-support/drawn.ts';
import { exportList } from './export-list.tsx';
import { ExportSection, exportFor } from './export-section.tsx';

const day = (n: number) => new Date(Date.UTC(2026, 0, n, 12));

const REQUEST: ExportRequest = {
  id: 'export-1',
  clientId: 'client-1',
  verificationId: 'case-1',
  requestedAt: day(1),
  requestedBy: 'subject',
  ...NO_RELEASE,
};
const RELEASED = { ...REQUEST, releasedAt: day(2), expiresAt: day(4) };
const DECLINED = { ...REQUEST, declinedAt: day(2), declineReason: 'excessive' } as const;

const pathOf = (id: string, below?: string) =>
  `/dashboard/verifications/${id}${below === undefined ? '' : `/${below}`}`;

describe('the section of a copy', () => {
  const section = (request: ExportRequest | null | undefined, now = day(3)) => {
    const context = aContext({ now, areaQuery: '?mode=test' });
    return drawn(<ExportSection context={context} verificationId="case-1" request={request} pathOf={pathOf} />);
  };

  it('a copy can be given without a request; users without the right see nothing', () => {
    expect(section(undefined).html).toBe('');
    const { html, words } = section(null);
    expect(words).toMatch(/Give the person a copy/);
    expect(html).toContain('href="/kyc/dashboard/verifications/case-1/data-copy?mode=test"');
    expect(html).not.toContain('decline-copy');
    expect(html).not.toContain('<p>');
  });

  it.each<[what: string, request: ExportRequest, now: Date, sentences: RegExp[], buttons: RegExp]>([
    ['requested', REQUEST, day(3), [/asked for .* 1 Jan/], /Release .*Decline/],
    ['requested by staff', { ...REQUEST, requestedBy: 'operator' }, day(3), [/1 Jan/], /Release/],
    ['released', RELEASED, day(3), [/1 Jan/, /Released on 2 Jan .* work until 4 Jan/], /Give .*Decline/],
    [
      'half released',
      { ...REQUEST, releasedAt: day(2), declinedAt: day(2) },
      day(3),
      [/1 Jan/, /again from/],
      /Give/,
    ],
    [
      'half declined',
      { ...REQUEST, expiresAt: day(4), declineReason: 'excessive' },
      day(3),
      [/1 Jan/],
      /Give .*Decline/,
    ],
    ['over', RELEASED, day(5), [/1 Jan/, /no longer work/], /Give/],
    [
      'downloaded',
      { ...RELEASED, downloads: 2, downloadedAt: day(3) },
      day(3),
      [/1 Jan/, /Released on/, /Downloaded 2 times, .* 3 Jan/],
      /Give .*Decline/,
    ],
    ['declined', DECLINED, day(3), [/1 Jan/, /declined on 2 Jan/, /again from 9 Jan/], /Give/],
    ['declined long ago', DECLINED, day(10), [/1 Jan/, /declined on 2 Jan/], /Give/],
  ])('a copy that is %s', (_, request, now, sentences, buttons) => {
    const { html, words } = section(request, now);
    const shown = [...html.matchAll(/<p>(.*?)<\/p>/g)].map(([, text]) => text);
    expect(shown).toEqual(sentences.map((sentence): unknown => expect.stringMatching(sentence)));
    expect(words).toMatch(buttons);
    expect(html.includes('decline-copy?mode=test"')).toBe(buttons.source.includes('Decline'));
  });
});

it('the export request of a verification is read only for users who may release it', async () => {
  const asked: unknown[] = [];
  const run = (_action: unknown, input: unknown) => {
    asked.push(input);
    return REQUEST;
  };
  const contextFor = (refused: readonly string[]) => aContext({ now: day(3), refused, run });
  expect(await exportFor(contextFor([releaseExport.id]), 'case-1')).toBeUndefined();
  expect(asked).toEqual([]);
  expect(await exportFor(contextFor([]), 'case-1')).toBe(REQUEST);
  expect(asked).toEqual([{ verificationId: 'case-1' }]);
});

describe('the list of requests', () => {
  const contextWith = (found: object, after = '') => {
    const runs: unknown[] = [];
    const run = (action: { readonly id: string }, input: unknown) => {
      runs.push(input);
      if (action.id !== nameClients.id) return found;
      expect(input).toEqual({ clientIds: [expect.any(String)] });
      return new Map([['client-1', 'Acme Bank']]);
    };
    return { runs, context: aContext({ now: day(3), run, query: { after } }) };
  };
  const list = (ofAllClients: boolean) => exportList({ path: '/data-copies', pathOf, ofAllClients });

  it('the list reads the waiting requests after its cursor', async () => {
    const { runs, context } = contextWith({ exports: [REQUEST], next: 'n' }, 'c');
    expect(await list(false).load(context, {})).toEqual({
      rows: [REQUEST],
      pages: { cursor: 'after', next: 'n' },
    });
    await list(false).load(contextWith({ exports: [], next: null }).context, {});
    expect(runs).toEqual([{ waiting: true, after: 'c' }]);
  });

  it('the list of all clients has a column with their names', async () => {
    const cells = async (ofAllClients: boolean, request: ExportRequest) => {
      const columns = await list(ofAllClients).columns(contextWith({}).context, [request]);
      return columns.map(({ title, cell }) => `${title}: ${drawn(<>{cell(request)}</>).words}`);
    };
    const own = await cells(false, REQUEST);
    expect(own).toEqual([
      expect.stringMatching(/: case-1$/),
      expect.stringMatching(/: 2 days ago$/),
      expect.stringMatching(/: \w.+/),
    ]);
    const [first] = await list(false).columns(contextWith({}).context, []);
    expect(first?.isRowHeader).toBe(true);
    expect(await cells(true, REQUEST)).toEqual([...own, 'Client: Acme Bank']);
    expect((await cells(true, { ...REQUEST, clientId: 'gone' })).at(-1)).toBe('Client: gone');
  });

  it('the list has an introduction', () => {
    expect(drawn(<>{list(false).intro?.(contextWith({}).context)}</>).html).toMatch(/^<p>[^<]+<\/p>$/);
  });

  it('the list links back only if a page is above it', () => {
    const back = { path: '/admin', label: 'review:case.back' } as const;
    expect(list(false)).not.toHaveProperty('back');
    expect(exportList({ path: '/data-copies', pathOf, ofAllClients: true, back }).back).toBe(back);
  });
});
