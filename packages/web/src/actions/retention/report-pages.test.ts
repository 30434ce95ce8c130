import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CLARA, OLGA } from '../../../test-support/console.ts';
import { ANDY, FRED, type GivenDashboard, givenDashboard, VERA } from '../../../test-support/dashboard.ts';

const PATH = '/dashboard/retention/report';
const MONTH = '2026-01';
let given: GivenDashboard;
let id: string;

beforeEach(async () => {
  given = await givenDashboard();
  id = await given.pending({ subjectReference: 'mira' });
  await given.countersign.verifications.eraseData(given.principal, id, { withdraw: true });
});

describe('the report of erasures', () => {
  it('shows the current month with numbers by rule, and leads to its files', async () => {
    const { status, words, text } = await given.get(PATH, CLARA);
    expect(status).toBe(200);
    expect(text).toContain('<title>Retention report ');
    expect(text).not.toContain('href="#field-month"');
    expect(words).toContain('January 2026 1 verification was erased. The month has not ended. Requested 1');
    expect(text).toContain(`href="/kyc${PATH}.html?month=${MONTH}"`);
    expect(text).toContain(`href="/kyc${PATH}.csv?month=${MONTH}"`);
    expect((await given.get(`${PATH}?month=2025-12`, CLARA)).words).toContain(
      'December 2025 0 verifications were erased. Requested 0',
    );
    expect((await given.get('/dashboard/retention', CLARA)).text).toContain(`href="/kyc${PATH}"`);
  });

  it('the report of erasures has each receipt in a document without scripts and in CSV, in the language of the reader', async () => {
    const csv = await given.get(`${PATH}.csv?month=${MONTH}`, CLARA);
    expect(csv.headers.get('Content-Disposition')).toBe(`attachment; filename="erasures-${MONTH}.csv"`);
    expect(csv.text).toMatch(
      new RegExp(`^number,verificationId,.*\\r\\n1,${id},2026-01-15T12:00:00.000Z,requested,`),
    );
    const document = await given.get(`${PATH}.html?month=${MONTH}`, CLARA, { 'Accept-Language': 'de' });
    expect(document.headers.get('Content-Security-Policy')).toContain(
      "default-src 'none'; style-src 'unsafe-inline'",
    );
    expect(document.text).toMatch(/^<!doctype html>\s*<html lang="de">/);
    for (const { text } of [csv, document]) {
      expect(text).toContain(id);
      expect(text).not.toContain('mira');
    }
  });

  it.each(['2026-02', '2026-13', 'soon', '2026-1', '%00'])(
    'refuses the month %s with a message',
    async (month) => {
      for (const file of ['', '.html', '.csv']) {
        const { status, words, text } = await given.get(`${PATH}${file}?month=${month}`, CLARA);
        expect(status).toBe(400);
        expect(text).toContain('<title>Error: ');
        expect(words).toContain('Enter a month that has begun');
        expect(text).toContain('href="#field-month"');
      }
    },
  );

  it('a file that breaks off is reported as a fault', async () => {
    const { retention } = given.ports.storage;
    if (retention === undefined) throw new Error('The storage keeps no receipts');
    const { erasures } = retention;
    vi.spyOn(retention, 'erasures').mockRejectedValue(new Error('canary')).mockImplementationOnce(erasures);
    await expect(given.get(`${PATH}.csv?month=${MONTH}`, CLARA)).rejects.toThrow('The download broke off');
    expect(given.faults).toEqual([new Error('canary')]);
  });

  it('a month has ended at the first moment of the next one', async () => {
    given.ports.clock.advance(Date.parse('2026-02-01T00:00:00.000Z') - given.ports.clock.now().getTime());
    const { words } = await given.get(`${PATH}?month=${MONTH}`, CLARA);
    expect(words).toContain('1 verification was erased. Requested 1');
  });

  it('shows owners their own client, operators any, and other roles nothing', async () => {
    const ofClient = `/admin/clients/${given.clientId}/retention/report`;
    expect((await given.get(ofClient, OLGA)).words).toContain('1 verification was erased.');
    expect((await given.get(`${ofClient}.csv`, OLGA)).text).toContain(id);
    expect((await given.get(PATH, FRED)).words).toContain('0 verifications were erased.');
    expect((await given.get(`${PATH}.csv`, FRED)).text).not.toContain(id);
    for (const as of [ANDY, VERA]) {
      for (const file of ['', '.html', '.csv']) expect((await given.get(PATH + file, as)).status).toBe(403);
    }
    expect((await given.get('/admin/clients/unknown/retention/report', OLGA)).status).toBe(404);
    expect((await given.lastLine())?.action).toBe('retention.report');
  });
});
