import { beforeEach, describe, expect, it } from 'vitest';
import { ADA, AGNES, type GivenTeam, givenTeam, OTTO, VIC } from '../../../test-support/client-team.ts';
import { fill, watchReads } from '../../../test-support/many-verifications.ts';

const EXPORT = '/dashboard/verifications/export';
const FILE = `${EXPORT}.csv`;
const HEADER = 'id,type,subjectReference,status,requestedAt,submittedAt,resolvedAt,currentStep,totalSteps';
let given: GivenTeam;

beforeEach(async () => {
  given = await givenTeam();
});

describe('the page of the export', () => {
  it('says how many rows there will be, and offers the file for the same filters', async () => {
    await given.pending({ subjectReference: 'eu_1' });
    await given.pending({ subjectReference: 'eu_2' });
    await given.pending({ subjectReference: 'us_1' });
    const { words, text } = await given.get(`${EXPORT}?prefix=eu_&status=pending`, AGNES);
    expect(words).toContain('2 verifications will be in the file.');
    expect(text).toContain(`<form method="get" action="/kyc${FILE}"`);
    expect(text).toContain('<input type="hidden" name="prefix" value="eu_"/>');
    expect(text).toContain('<input type="hidden" name="status" value="pending"/>');
    expect(text).toContain('data-total="2"');
    expect(text).toMatch(/<script type="module" src="[^"]+\/export\.js">/);
  });

  it('offers nothing where nothing matches, and says what is wrong with a filter', async () => {
    expect((await given.get(EXPORT, ADA)).text).not.toContain(FILE);
    await given.pending();
    const { status, words, text } = await given.get(`${EXPORT}?from=soon`, ADA);
    expect(status).toBe(400);
    expect(words).toContain('“soon” is not a valid day');
    expect(text).not.toContain(FILE);
  });
});

describe('the file of the export', () => {
  it('the file of the export has a row for each verification that matches, the newest first, and none of another client', async () => {
    const first = await given.submitted({ subjectReference: '=cmd,"x"' });
    given.ports.clock.advance(1_000);
    const second = await given.pending({ subjectReference: 'Zoë', type: 'kyb' });
    const response = await given.ask(FILE, AGNES);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/csv; charset=utf-8/);
    expect(response.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="verifications-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('X-Total-Count')).toBe('2');
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.subarray(0, 2)], 'no byte order mark').toEqual([...new TextEncoder().encode('id')]);
    const [header, newest, oldest, ...rest] = new TextDecoder().decode(bytes).split('\r\n');
    expect(header).toBe(HEADER);
    expect(newest).toMatch(new RegExp(`^${second},kyb,Zoë,pending,[^,]+Z,,,0,7$`));
    expect(oldest).toMatch(new RegExp(`^${first},kyc,"'=cmd,""x""",submitted,[^,]+Z,[^,]+Z,,6,6$`));
    expect(rest).toEqual(['']);
    expect(await (await given.ask(FILE, OTTO)).text()).toBe(`${HEADER}\r\n`);
    expect(await given.auditLines()).toEqual(['verifications.export allowed', 'verifications.export allowed']);
  });

  it('the file of the export has the rows that match the filters of its address', async () => {
    await given.pending({ subjectReference: 'eu_1' });
    await given.pending({ subjectReference: 'us_1' });
    const text = await (await given.ask(`${FILE}?prefix=eu_`, ADA)).text();
    expect(text).toContain(',eu_1,');
    expect(text).not.toContain('us_1');
  });

  it('the file of the export is read page by page on demand: for a slow reader the service reads and keeps no more', async () => {
    await fill(given, 2_600);
    const reads = watchReads(given);
    const response = await given.ask(FILE, ADA);
    expect(response.headers.get('X-Total-Count')).toBe('2600');
    const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
    await reader.read();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reads.count).toBe(1);
    let rows = 100;
    while (rows < 2_600) {
      rows += new TextDecoder().decode((await reader.read()).value).split('\r\n').length - 1;
    }
    expect(reads.count).toBeGreaterThan(4);
  });

  it('stops reading when it is cancelled', async () => {
    await fill(given, 1_200);
    const reads = watchReads(given);
    const reader = ((await given.ask(FILE, ADA)).body ?? new ReadableStream<Uint8Array>()).getReader();
    await reader.read();
    await reader.cancel();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reads.count).toBe(1);
  });

  it('the file of the export is cut off if reading fails, so that it does not look complete', async () => {
    await fill(given, 1_200);
    watchReads(given, 2);
    const response = await given.ask(FILE, ADA);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('The download broke off');
    expect(given.faults.map(String)).toEqual(['Error: connection to 10.0.0.7 lost']);
  });

  it('an export with invalid filters shows a page with messages instead of a file', async () => {
    await given.pending();
    for (const query of [
      'status=done',
      'until=soon',
      `prefix=${'x'.repeat(257)}`,
      'from=2026-03-02&until=2026-03-01',
    ]) {
      const response = await given.ask(`${FILE}?${query}`, ADA);
      expect(response.status, query).toBe(400);
      expect(response.headers.get('Content-Type'), query).toContain('text/html');
      expect(response.headers.get('Content-Disposition'), query).toBeNull();
    }
  });

  it('a viewer gets 403 for the page and the file, which is recorded, and nothing is read', async () => {
    await given.pending();
    const reads = watchReads(given);
    for (const path of [EXPORT, FILE, `${FILE}?status=done`]) {
      expect((await given.ask(path, VIC)).status).toBe(403);
      await given.countersign.summariseRefusals();
    }
    expect(reads.count).toBe(0);
    expect(await given.auditLines()).toEqual([
      'page.request refused NOT_ALLOWED',
      'verifications.export refused NOT_ALLOWED',
      'verifications.export refused NOT_ALLOWED',
    ]);
  });

  it('anonymous visitors are redirected to sign-in', async () => {
    const response = await given.ask(FILE, null);
    expect(response.status).toBe(303);
    expect(response.headers.get('Location')).toContain('/account/sign-in');
  });
});
