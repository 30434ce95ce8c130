import {
  CountersignError,
  type MrzBox,
  type QueueSubjectView,
  type ReviewQueueItem,
  STATUSES,
  type StoredReading,
  shortReference,
} from '@countersign/domain';
import type { EvidenceFile } from '@countersign/domain/evidence';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { aContext, aPage, drawn } from '../../test-support/drawn.ts';
import { KeysHelp } from './keys-page.tsx';
import { CaseBefore, onlyInput, StartReviewing, startReviewing, toNextCase, workQuery } from './next-case.tsx';
import { answerId, filePath, pictureId, retentionPath } from './paths.ts';
import { Portrait } from './portrait.tsx';
import { queue } from './queue.tsx';
import { queueColumns } from './queue-columns.tsx';
import { SearchBox } from './search-box.tsx';
import { progressOf, teamDay } from './team-day.tsx';

const page = aPage();
const now = new Date('2026-01-15T12:00:00.000Z');
/** Records the input of each action, and returns this result. */
const noting = (inputs: unknown[], result: unknown) => (_action: unknown, input: unknown) => {
  inputs.push(input);
  return result;
};

const ID = '01a225e5-4340-752d-9c11-000000000001';

describe('the next case', () => {
  const FILTERS = { type: 'kyb', client: 'c-1', claim: 'mine', only: 'warned', tests: 'shown' };

  it('addresses carry the filters that are set', () => {
    const queryOf = (query: Record<string, string>, more?: Record<string, string>) =>
      workQuery(aContext({ now, query }), more);
    expect(queryOf({})).toBe('');
    expect(queryOf({ type: '', status: 'approved' })).toBe('');
    expect(queryOf(FILTERS)).toBe('?type=kyb&client=c-1&claim=mine&only=warned&tests=shown');
    expect(queryOf({ type: 'kyc' }, { done: 'noted' })).toBe('?type=kyc&done=noted');
  });

  it('the filter of unusual cases knows two kinds', () => {
    expect(['warned', 'resubmitted', 'other', undefined].map(onlyInput)).toEqual([
      { warned: true },
      { resubmitted: true },
      {},
      {},
    ]);
  });

  const NOTHING = { type: undefined, clientId: undefined, withTests: undefined, mine: undefined };
  it.each<[query: Record<string, string>, input: object]>([
    [{}, NOTHING],
    [{ type: 'odd', client: '', claim: 'unclaimed', only: 'odd', tests: 'hidden' }, NOTHING],
    [FILTERS, { type: 'kyb', clientId: 'c-1', withTests: true, mine: true, warned: true }],
  ])(
    'a reviewer who starts with %j claims a matching case, and gets the queue if none matches',
    async (query, input) => {
      for (const [claimed, path] of [
        [{ verificationId: ID }, `/kyc/review/${ID}`],
        [null, '/kyc/review'],
      ] as const) {
        const inputs: unknown[] = [];
        const context = aContext({ now, query, run: noting(inputs, claimed) });
        const answer: unknown = await startReviewing(context, async () => undefined);
        expect(answer instanceof Response && answer.headers.get('Location')).toBe(path + workQuery(context));
        expect(inputs).toEqual([input]);
      }
    },
  );

  it('an ended case leads to the next one; after a late form, first to the reviewer’s own', async () => {
    const next = async (result: 'approved' | 'late', claims: readonly (string | null)[], ownFirst?: true) => {
      const inputs: unknown[] = [];
      const context = aContext({
        now,
        query: { type: 'kyc' },
        run: (_, input) => {
          inputs.push(input);
          const verificationId = claims[inputs.length - 1];
          return verificationId ? { verificationId } : null;
        },
      });
      const answer = await toNextCase(context, { id: ID, result, ...(ownFirst && { ownFirst }) });
      return [answer.headers.get('Location'), inputs];
    };
    const kyc = { ...NOTHING, type: 'kyc' };
    expect(await next('approved', ['a'])).toEqual([`/kyc/review/a?type=kyc&done=approved&of=${ID}`, [kyc]]);
    expect(await next('approved', [])).toEqual([`/kyc/review?type=kyc&done=approved&of=${ID}`, [kyc]]);
    expect(await next('late', ['own'], true)).toEqual([
      `/kyc/review/own?type=kyc&done=late&of=${ID}`,
      [{ ...kyc, mine: true }],
    ]);
    expect(await next('late', [null, 'b'], true)).toEqual([
      `/kyc/review/b?type=kyc&done=late&of=${ID}`,
      [{ ...kyc, mine: true }, kyc],
    ]);
  });

  it.each<[error: Error, isFault: boolean]>([
    [new Error('broken'), true],
    [new CountersignError('SERVICE_UNAVAILABLE'), true],
    [new CountersignError('RATE_LIMIT_EXCEEDED'), false],
  ])('no next case because of %s: the queue shows the outcome of the last one', async (error, isFault) => {
    const faults: unknown[] = [];
    const context = aContext({
      now,
      run: () => Promise.reject(error),
      onFault: (fault) => void faults.push(fault),
    });
    // The entry of a fault needs the route of the request.
    const app = new Hono().get('/', ({ req }) =>
      toNextCase(Object.assign(context, { req }), { id: ID, result: 'approved' }),
    );
    const answer = await app.request('/');
    expect(answer.headers.get('Location')).toBe(`/kyc/review?done=approved&of=${ID}`);
    expect(faults).toEqual(isFault ? [error] : []);
  });

  it('a line shows the outcome of the last case, and ignores made-up values', () => {
    const line = (done: string, of: string) =>
      drawn(<CaseBefore context={aContext({ now, query: { done, of, type: 'kyc' } })} />);
    const approved = line('approved', ID);
    expect(approved.words).toContain(shortReference(ID));
    expect(approved.html).toContain(`href="/kyc/review/${ID}?type=kyc"`);
    expect(approved.html).toMatch(/class="notice good".*icons\.svg#check"/);
    expect(line('late', ID).html).toMatch(/class="notice warn".*icons\.svg#triangle-alert"/);
    for (const [done, of] of [
      ['approved', 'made-up'],
      ['odd', ID],
      ['view', ID.slice(1)],
      ['approved.', ID],
      ['.approved', ID],
      ['', ID],
    ] as const)
      expect(line(done, of).html, done).toBe('');
    expect(drawn(<CaseBefore context={aContext({ now })} />).html).toBe('');
  });

  it('the button has the given label, otherwise the default one', () => {
    const button = drawn(<StartReviewing page={page} query="?type=kyc" />);
    expect(button.html).toContain('action="/kyc/review/next?type=kyc"');
    expect(drawn(<StartReviewing page={page} query="" label="review:queue.next" />).words).not.toBe(button.words);
  });
});

describe('the day of the team', () => {
  const DAY = {
    waiting: 1200,
    waitingSince: new Date('2026-01-15T10:00:00.000Z'),
    overdue: 3,
    decided: 5,
    medianMs: 600_000,
    decisions: [
      { reviewerId: 'ben', approved: 1, rejected: 1 },
      { reviewerId: 'staff-1', approved: 2, rejected: 1 },
    ],
  };
  const NO_DAY = { waiting: 0, waitingSince: null, overdue: 0, decided: 0, medianMs: null, decisions: [] };
  const dayOf = (day: object) => aContext({ now, run: () => day });

  it('a reviewer’s progress counts their decisions and the waiting cases', async () => {
    expect(await progressOf(dayOf(DAY))).toEqual({ done: 3, total: 1203 });
    expect(await progressOf(dayOf({ ...DAY, waiting: 0 }))).toEqual({ done: 3, total: 3 });
    expect(await progressOf(dayOf({ ...DAY, waiting: 3 }))).toEqual({ done: 3, total: 6 });
    expect(await progressOf(dayOf(NO_DAY))).toBeNull();
  });

  const shown = async (day: object) => drawn(<>{await teamDay(dayOf(day))}</>);

  it('the figures of a day come with the reviewers, the most decisions first', async () => {
    const { html, words } = await shown(DAY);
    expect([...html.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, value]) => value)).toEqual([
      '1,200',
      '2 hr',
      '3',
      '5',
      '10 min',
    ]);
    expect(html.match(/<div class="bad">/g)).toHaveLength(1);
    expect(words).toMatch(/name of staff-1 .*name of ben /);
    const reversed = await shown({ ...DAY, decisions: DAY.decisions.toReversed() });
    expect(reversed.words).toBe(words);
  });

  it('a day without cases has no figures, and missing times are left out', async () => {
    expect((await shown(NO_DAY)).html).toBe('');
    const { html } = await shown({ ...NO_DAY, waiting: 1 });
    expect([...html.matchAll(/<dd>(.*?)<\/dd>/g)].map(([, value]) => value)).toEqual(['1', '0']);
    expect(html).not.toContain('<details');
    expect((await shown({ ...NO_DAY, decided: 1 })).html).toContain('<dd>1</dd>');
  });

  it('rejections count like approvals', async () => {
    const decisions = [
      { reviewerId: 'a', approved: 2, rejected: 0 },
      { reviewerId: 'b', approved: 0, rejected: 3 },
      { reviewerId: 'c', approved: 0, rejected: 4 },
    ];
    expect((await shown({ ...DAY, decisions })).words).toMatch(/name of c .*name of b .*name of a /);
  });
});

const CASE: ReviewQueueItem = {
  id: ID,
  clientId: 'client-1',
  clientName: 'Acme Bank',
  type: 'kyc',
  subjectReference: 'user_1',
  status: 'submitted',
  requestedAt: now,
  submittedAt: now,
  dueAt: null,
  claim: null,
  severity: null,
  endedBy: null,
};

describe('the columns of cases', () => {
  const item = (more: Partial<ReviewQueueItem> = {}): ReviewQueueItem => ({ ...CASE, ...more });
  const read: QueueSubjectView = {
    state: 'read',
    name: 'Ada Lovelace',
    document: null,
    country: null,
    isResubmitted: false,
    warnings: 2,
  };
  const claimedBy = (reviewerId: string) => ({ claim: { reviewerId, claimedAt: now } });

  const cellsOf = async (one: ReviewQueueItem, decision?: { at: Date; reviewerId: string | null } | null) => {
    const decisions = decision === undefined ? undefined : new Map(decision === null ? [] : [[ID, decision]]);
    const columns = await queueColumns(
      aContext({ now, query: { type: 'kyc' } }),
      [one],
      new Map([[ID, read]]),
      decisions,
    );
    return columns.map(({ title, cell }) => `${title}: ${drawn(<>{cell(one)}</>).words}`);
  };

  it('the queue of waiting cases has no status', async () => {
    expect(await cellsOf(item({ severity: 'warning' }))).toEqual([
      'Name: Ada Lovelace user_1',
      'Document: Person (KYC)',
      expect.stringMatching(/^Warnings: .* · 2$/),
      'Waiting for: 1 min',
      'Client: Acme Bank',
      'Claimed by: Unclaimed',
    ]);
  });

  it('a waiting case names its holder', async () => {
    expect((await cellsOf(item(claimedBy('staff-1')))).at(-1)).toBe('Claimed by: You');
    expect((await cellsOf(item(claimedBy('ben')))).at(-1)).toBe('Claimed by: name of ben');
    expect((await cellsOf(item()))[2]).toBe('Warnings: ');
  });

  it('a queue of other cases has the status and the short reference', async () => {
    const cells = await cellsOf(item({ status: 'approved' }));
    expect(cells.slice(3)).toEqual([
      'Waiting for: Decided',
      'Client: Acme Bank',
      'Claimed by: ',
      'Status: Approved',
      `Short reference: ${shortReference(ID)}`,
    ]);
  });

  it('a search has the decision or the holder, and the status', async () => {
    expect((await cellsOf(item({ status: 'approved' }), { at: now, reviewerId: 'ben' })).slice(3)).toEqual([
      'Waiting for: ',
      'Client: Acme Bank',
      'Reviewer: name of ben 15 January 2026',
      'Status: Approved',
    ]);
    expect((await cellsOf(item(claimedBy('ben')), null)).slice(3)).toEqual([
      'Waiting for: 1 min',
      'Client: Acme Bank',
      'Reviewer: name of ben',
      'Status: To review',
    ]);
  });

  it('the name is the header of a row, and narrow pages leave out what is clear', async () => {
    const columns = await queueColumns(aContext({ now }), [item({ status: 'pending' })], new Map());
    expect(columns.filter(({ isRowHeader }) => isRowHeader).map(({ title }) => title)).toEqual(['Name']);
    expect(columns.filter(({ isClear }) => isClear).map(({ title }) => title)).toEqual([
      'Document',
      'Client',
      'Claimed by',
      'Short reference',
    ]);
    const both = await queueColumns(aContext({ now }), [item(), item({ status: 'pending' })], new Map());
    expect(both.map(({ title }) => title)).toContain('Status');
    const found = await queueColumns(aContext({ now }), [item()], new Map(), new Map());
    expect(found.filter(({ isClear }) => isClear).map(({ title }) => title)).toEqual([
      'Document',
      'Client',
      'Reviewer',
    ]);
  });
});

it('the search has a field for a client only where one must be chosen', () => {
  const box = (more: object = {}) => drawn(<SearchBox page={page} query="?type=kyc" {...more} />).html;
  const names = (html: string) => [...html.matchAll(/<input[^>]* name="(\w+)"/g)].map(([, name]) => name);
  expect(names(box())).toEqual(['query', 'birthDate']);
  expect(box()).toContain('action="/kyc/review/search?type=kyc"');
  expect(box()).not.toContain('filter-bar');
  expect(box({ isInList: true })).toContain('class="filter-bar"');
  expect(names(box({ client: { name: 'clientId', label: 'Client' } }))).toEqual([
    'query',
    'birthDate',
    'clientId',
  ]);
  expect(box({ values: { query: 'Ada' } })).toContain('value="Ada"');
});

it('the help shows each key separately; only the dialog’s heading has an id', () => {
  const help = drawn(<KeysHelp page={page} heading="h2" />).html;
  expect(help).toMatch(/<h2 id="keys-title">/);
  expect(help).toContain('<kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd>');
  expect(help.match(/<tbody>/g)).toHaveLength(5);
  expect(drawn(<KeysHelp page={page} heading="h1" />).html).toMatch(/<h1>/);
});

it('paths of a case name its parts', () => {
  expect(retentionPath('a/b')).toBe('/review/a%2Fb');
  expect(retentionPath('a', 'hold')).toBe('/review/a/hold');
  expect(filePath('a', 'b/c', 2)).toBe('/review/a/files/b%2Fc/pages/2');
  expect([pictureId(3), answerId('person', ''), answerId('person', 'a.0.b')]).toEqual([
    'picture-3',
    'answer-person',
    'answer-person-a-0-b',
  ]);
});

describe('the portrait of a document', () => {
  const files = ['front', 'back'].map((id) => ({ id }) as EvidenceFile);
  const zone: MrzBox = { x: 0.1, y: 0.8, width: 0.8, height: 0.09, rotation: 0, aspect: 1.4 };
  const portrait = (...readings: readonly object[]) =>
    drawn(
      <Portrait files={files} readings={readings as readonly StoredReading[]} verificationId="case" page={page}>
        <b>whole</b>
      </Portrait>,
    ).html;

  it('a portrait is cropped from the first picture whose machine-readable zone gives its place', () => {
    const html = portrait(
      { fileId: 'other', mrzBox: zone },
      { fileId: 'front' },
      { fileId: 'back', mrzBox: zone },
    );
    expect(html).toContain('href="/kyc/review/case/files/back"');
    expect(html).toMatch(/viewBox="0 0 526 582"/);
    expect(html).toMatch(/width="1400" height="1000"/);
    expect(html).toMatch(/transform="translate\(263 291\) rotate\(0\) translate\(-347 -498\)"/);
    expect(portrait({ fileId: 'front', mrzBox: { ...zone, x: 0.1, y: 0.1, rotation: 0.5 } })).toContain(
      'rotate(-180)',
    );
    expect(portrait({ fileId: 'front', mrzBox: { ...zone, rotation: 0.004 } })).toContain('rotate(-1.4)');
  });

  it('a document without a place for its portrait is shown whole', () => {
    expect(portrait()).toBe('<b>whole</b>');
    expect(portrait({ fileId: 'front', mrzBox: { ...zone, x: 0 } })).toBe('<b>whole</b>');
  });
});

describe('the list of the queue', () => {
  it('each filter has its choices, and ignores unknown values', async () => {
    const filters = await queue.filters?.(aContext({ now, run: () => ({ clients: [], hasMore: false }) }));
    const shown = filters?.map(({ name, options = [], initial, asLinks, ignoresUnknown }) => [
      name,
      options.map(([value, label]) => value !== '' && label !== '' && value),
      initial,
      asLinks,
      ignoresUnknown,
    ]);
    expect(shown).toEqual([
      ['status', [...STATUSES], 'submitted', true, true],
      ['type', ['kyc', 'kyb'], undefined, undefined, true],
      ['client', expect.any(Array), undefined, undefined, true],
      ['claim', ['unclaimed', 'mine'], undefined, undefined, true],
      ['only', ['warned', 'resubmitted'], undefined, undefined, true],
      ['tests', ['hidden', 'shown'], 'hidden', undefined, true],
    ]);
  });

  const NO_FILTER = { status: 'submitted', type: '', client: '', claim: '', only: '', tests: 'hidden' };
  it.each<[values: object, after: string, input: object]>([
    [{}, '', {}],
    [
      { type: 'kyb', client: 'c-1', tests: 'shown' },
      'x',
      { type: 'kyb', clientId: 'c-1', withTests: true, after: 'x' },
    ],
    [{ claim: 'mine', only: 'warned' }, '', { claimedBy: 'staff-1', warned: true }],
    [{ claim: 'unclaimed', status: 'approved' }, '', { unclaimed: true, status: 'approved' }],
  ])('the filters %j after %j select the cases', async (values, after, input) => {
    const inputs: unknown[] = [];
    const page = { items: [], total: { count: 7, isExact: true }, next: 'y' };
    const context = aContext({ now, query: { after }, run: noting(inputs, page) });
    const found = await queue.load(context, { ...NO_FILTER, ...values });
    expect(inputs).toEqual([{ status: 'submitted', ...input }]);
    expect(found).toMatchObject({ rows: [], total: 7, count: '7 cases', pages: { cursor: 'after', next: 'y' } });
  });

  it('the subjects of a page are read for its cases; an empty page reads none', async () => {
    const asked: unknown[] = [];
    const context = aContext({ now, run: noting(asked, new Map()) });
    await queue.columns(context, []);
    expect(asked).toEqual([]);
    await queue.columns(context, [CASE]);
    expect(asked).toEqual([{ verificationIds: [ID] }]);
    expect(queue.problem?.({ path: 'after', message: '' }, {}, page.t)?.[0]).toBe('after');
  });

  it('the queue begins with the start button, the search and the day of the team', async () => {
    const day = { waiting: 0, decided: 0, decisions: [] };
    const intro = drawn(
      <>{await queue.intro?.(aContext({ now, query: { type: 'kyc' }, run: () => day }))}</>,
    ).html;
    expect(intro).toContain('action="/kyc/review/next?type=kyc"');
    expect(intro).toContain('action="/kyc/review/search?type=kyc"');
  });
});
