import { shortReference, type WarningCode } from '@countersign/domain';
import { withdrawVerification } from '@countersign/domain/actions';
import { CLIENT_CHOICES } from '@countersign/domain/clients';
import { unreadableRecord, type VerificationRecord } from '@countersign/domain/storage';
import { toKept } from '@countersign/domain/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BEN, type GivenConsole, givenConsole, RITA } from '../../test-support/console.ts';

let given: GivenConsole;

beforeEach(async () => {
  given = await givenConsole();
});

const HOUR = 3_600_000;
/** Stands for the id of the client, which is known later. */
const ID = 'its id';

/** The references of the cases on a page, in its order. */
function listed(text: string): string[] {
  const rows = text.matchAll(
    /data-case[^>]*><bdi>([^<]*)<\/bdi><\/a>(?: <small class="second-line"><span class="as-typed"><bdi>([^<]*)<)?/g,
  );
  return [...rows].map(([, name, reference]) => reference ?? name ?? '');
}

it('the queue shows withdrawn and expired cases as such', async () => {
  const withdrawn = await given.pending();
  await given.pending();
  await given.countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId: withdrawn });
  given.ports.clock.advance(400 * 24 * HOUR);
  await given.countersign.expiry.expire();

  const { words } = await given.get('/review?status=rejected');
  expect(words).toMatch(/Person \(KYC\) Decided Acme Bank Withdrawn/);
  expect(words).toMatch(/Person \(KYC\) Decided Acme Bank Expired/);
});

describe('the queue of one of many clients', () => {
  /** More clients than a list of options holds, and a case of `Acme Bank`. */
  beforeEach(async () => {
    for (let n = 0; n <= CLIENT_CHOICES; n += 1) {
      await given.countersign.clients.create({ name: `Zebra ${n}`, plan: 'none' });
    }
    await given.submitted({ subjectReference: 'of-acme' });
  });

  it('offers the first clients while the user types', async () => {
    const { text } = await given.get('/review');
    expect(text).toMatch(/<input [^>]*name="client"[^>]*list="field-client-suggestions"/);
    const [, options = ''] = /<datalist id="field-client-suggestions">(.*?)<\/datalist>/s.exec(text) ?? [];
    expect(options.match(/<option/g)).toHaveLength(CLIENT_CHOICES);
    expect(options).toContain('<option value="Acme Bank">');
  });

  it.each(['Acme Bank', 'acme bank', 'ACM', ID])('finds a client by %s', async (typed) => {
    const all = await given.countersign.clients.list();
    const acme = all.find(({ client }) => client.name === 'Acme Bank');
    const client = typed === ID ? (acme?.client.id ?? '') : typed;
    const { text, status } = await given.get(`/review?client=${encodeURIComponent(client)}`);
    expect(status).toBe(200);
    expect(listed(text)).toEqual(['of-acme']);
    expect(text).toMatch(/name="client"[^>]*value="Acme Bank"/);
  });

  it('lists nothing for an unknown client, and says so', async () => {
    for (const typed of ['Nobody', 'x'.repeat(300), '\u0007']) {
      const { words, status } = await given.get(`/review?client=${encodeURIComponent(typed)}`);
      expect(status).toBe(400);
      expect(words).toContain('No client has this name or id');
      expect(words).not.toContain('of-acme');
    }
  });

  it('links to the clients that a text may mean, and keeps the other filters', async () => {
    const { words, text, status } = await given.get('/review?client=zebra&type=kyb');
    expect(status).toBe(400);
    expect(words).toContain('More than 50 clients have a name like this');
    expect(words).toContain('Zebra 17');
    const [, link = ''] =
      /href="\/kyc(\/review\?type=kyb&amp;client=[^"]+)" class="as-typed"><bdi>Zebra 17</.exec(text) ?? [];
    const chosen = await given.get(link.replaceAll('&amp;', '&'));
    expect(chosen.status).toBe(200);
    expect(chosen.text).toMatch(/name="client"[^>]*value="Zebra 17"/);
  });

  it('says that several clients have a name like this', async () => {
    for (const name of ['Yak One', 'Yak Two']) await given.countersign.clients.create({ name, plan: 'none' });
    const { words } = await given.get('/review?client=yak');
    expect(words).toContain('Several clients have a name like this');
    expect(words).toContain('Yak One Yak Two');
  });

  it('shows the id of a client whose name others have too', async () => {
    const made = await given.countersign.clients.create({ name: 'Zebra 17', plan: 'none' });
    const { text } = await given.get(`/review?client=${made.client.id}`);
    expect(text).toContain(`value="${made.client.id}"`);
    expect((await given.get('/review?client=Zebra+17')).words).toContain('Several clients have a name like this');
  });
});

describe('the queue', () => {
  it('hides test cases unless they are asked for', async () => {
    const { clients, apiKeys, authenticate, verifications } = given.countersign;
    await given.pending({ subjectReference: 'live' });
    const twin = await clients.testTwin(given.principal.clientId);
    const { value } = await apiKeys.issue(twin.id, { name: 'tests', permissions: ['*'] });
    const principal = await authenticate(value, { countRequest: false });
    await verifications.create(principal, { subjectType: 'kyc', subjectReference: 'test' });
    const shown = async (query: string) => listed((await given.get(`/review?status=pending${query}`)).text);
    expect(await shown('')).toEqual(['live']);
    expect(await shown('&tests=shown')).toEqual(['live', 'test']);
    expect((await given.get('/review')).words).toContain('Tests: Hidden Shown');
  });

  it('says whether the queue is empty or no case matches the filters', async () => {
    expect((await given.get('/review')).words).toContain('No case is waiting for a decision.');
    const filtered = await given.get('/review?type=kyb');
    expect(filtered.words).toContain('No case matches these filters.');
    expect(filtered.text).toContain('href="/kyc/review"');
  });

  it('lists the longest waiting case first, with its waiting time in words and exactly', async () => {
    await given.submitted({ subjectReference: 'first' });
    given.ports.clock.advance(50 * HOUR);
    await given.submitted({ subjectReference: 'second' });
    given.ports.clock.advance(90 * 60_000);
    const { text, words } = await given.get('/review');
    expect(listed(text)).toEqual(['first', 'second']);
    expect(words).toContain('2 cases');
    expect(words).toMatch(
      /first Identity card Germany (?:Check · \d )?2 days 3 hr .*second Identity card Germany (?:Check · \d )?1 hr 30 min/,
    );
    expect(text).toContain('<time datetime="2026-01-15T12:00:00.000Z" title="15 Jan 2026, 12:00 UTC">');
  });

  it('shows no waiting time for a decided case', async () => {
    const id = await given.submitted({ subjectReference: 'done' });
    await given.act(id, 'approve', { confirmed: 'yes' });
    given.ports.clock.advance(50 * HOUR);
    const { words } = await given.get('/review?status=approved');
    expect(words).toMatch(/done Identity card Germany Decided /);
    expect(words).not.toContain('2 days');
  });

  it('filters by status, kind of subject, client and claim', async () => {
    await given.submitted({ subjectReference: 'person' });
    const mine = await given.submitted({ subjectReference: 'business', type: 'kyb' });
    const theirs = await given.submitted({ subjectReference: 'held' });
    await given.pending({ subjectReference: 'early' });
    await given.act(mine, 'claim');
    await given.act(theirs, 'claim', {}, BEN);
    const { client } = await given.countersign.clients.create({ name: 'Other', plan: 'standard' });

    const cases = async (query: string) => listed((await given.get(`/review${query}`)).text);
    expect(await cases('')).toEqual(['person', 'business', 'held']);
    expect(await cases('?type=kyb')).toEqual(['business']);
    expect(await cases('?status=pending')).toEqual(['early']);
    expect(await cases('?claim=mine')).toEqual(['business']);
    expect(await cases('?claim=unclaimed')).toEqual(['person']);
    expect(await cases(`?client=${client.id}`)).toEqual([]);
    expect(await cases('?claim=mine&type=kyc')).toEqual([]);
    expect(await cases(`?client=${'x'.repeat(300)}`)).toEqual(['person', 'business', 'held']);
    expect(await cases('?status=nonsense&type=&client=&claim=none&page=x')).toEqual([
      'person',
      'business',
      'held',
    ]);

    const { words, text } = await given.get('/review?claim=mine');
    expect(words).toContain('Claimed by');
    expect(text).toContain('<strong>You</strong>');
    expect(text).toMatch(/<option value="mine" selected/);
  });

  it('goes on page by page with its filters', async () => {
    for (let count = 0; count < 21; count += 1) await given.submitted();
    const first = await given.get('/review?claim=unclaimed');
    expect(listed(first.text)).toHaveLength(20);
    expect(first.words).toContain('21 cases');
    const [, next = ''] =
      /href="\/kyc(\/review\?claim=unclaimed&amp;after=[^"]+)" rel="next"/.exec(first.text) ?? [];
    const second = await given.get(next.replaceAll('&amp;', '&'));
    expect(listed(second.text)).toHaveLength(1);
    expect(second.words).toContain('21 cases');
    expect(second.text).toContain('href="/kyc/review?claim=unclaimed"');
    expect((await given.get('/review?page=7')).status).toBe(200);
    const [, last = ''] = /href="\/kyc\/review\/([^"?]+)[^"]*" data-case/.exec(second.text) ?? [];
    const past = await given.get(`/review?after=_${last}`);
    expect([past.status, listed(past.text)]).toEqual([200, []]);
    const forged = await given.get('/review?after=7');
    expect(forged.status).toBe(400);
    expect(forged.words).toContain('This page of the list does not exist');
  });

  it('starts reviewing: claims the oldest case that matches and no one has claimed', async () => {
    const start = async (query = '') => (await given.post(`/review/next${query}`, {})).headers.get('Location');
    expect(await start()).toBe('/kyc/review');
    const held = await given.submitted();
    given.ports.clock.advance(HOUR);
    const free = await given.submitted();
    given.ports.clock.advance(HOUR);
    const business = await given.submitted({ type: 'kyb' });
    await given.act(held, 'claim', {}, BEN);

    expect(await start('?type=kyb&status=approved')).toBe(`/kyc/review/${business}?type=kyb`);
    expect(await start('?type=kyb')).toBe('/kyc/review?type=kyb');
    expect(await start('?claim=mine')).toBe(`/kyc/review/${business}?claim=mine`);
    expect(await start('?type=nonsense')).toBe(`/kyc/review/${free}?type=nonsense`);
    expect((await given.get(`/review/${free}`)).words).toContain('Yours');
    expect((await given.get('/review?type=kyb')).text).toContain('action="/kyc/review/next?type=kyb"');
  });
});

describe('unusual cases in the queue', () => {
  /** Keeps these warnings of a case, and no other. */
  async function keep(verificationId: string, codes: readonly WarningCode[]): Promise<void> {
    // What the submission calls for is kept before.
    await given.countersign.warnings.settled();
    const { clientId } = given.principal;
    const { version: expectedVersion, submittedAt } = await given.review.preview(verificationId);
    const warnings = codes.map((code) => ({ code, step: 'person', path: '' }) as const);
    const kept = toKept(warnings, { submittedAt });
    const note = { clientId, verificationId, expectedVersion, ...kept };
    expect(await given.ports.storage.verifications.noteWarnings(note)).toBe(true);
  }

  /** Submits a case of which these warnings are kept. */
  async function warned(subjectReference: string, codes: readonly WarningCode[]): Promise<void> {
    await keep(await given.submitted({ subjectReference }), codes);
  }

  /** Submits a case again that a reviewer had asked for. */
  async function resubmitted(subjectReference: string): Promise<string> {
    const id = await given.submitted({ subjectReference });
    await given.act(id, 'ask', {
      'ask.steps': 'selfie',
      'ask.selfie.reasonCode': 'selfie_mismatch',
      confirmed: 'yes',
    });
    await given.redo(id);
    await keep(id, []);
    return id;
  }

  const cases = async (query = ''): Promise<string[]> => listed((await given.get(`/review${query}`)).text);

  beforeEach(async () => {
    await warned('clean', []);
    await warned('to-know', ['earlier_verification']);
    await warned('to-check', ['under_age', 'earlier_verification']);
    await warned('fraud', ['rejected_for_fraud', 'under_age', 'earlier_verification']);
  });

  it('each row says in a word and a colour how severe its worst warning is, and how many are kept', async () => {
    const { text } = await given.get('/review');
    const badges = text.matchAll(
      /<bdi>([\w-]+)<\/bdi><\/span><\/small><\/th>.*?<td(?: data-label="Warnings")? class="status">(.*?)<\/td>/g,
    );
    const shown = [...badges].map(([, reference, cell = '']) => [
      reference,
      /badge is-(\w+)/.exec(cell)?.[1],
      cell.replace(/<[^>]+>/g, ''),
    ]);
    expect(shown).toEqual([
      ['clean', undefined, ''],
      ['to-know', 'idle', 'Info · 1'],
      ['to-check', 'warn', 'Check · 2'],
      ['fraud', 'bad', 'Critical · 3'],
    ]);
    const inGerman = (await given.get('/review', RITA, { 'Accept-Language': 'de' })).words;
    for (const words of ['Info · 1', 'Prüfen · 2', 'Kritisch · 3']) expect(inGerman).toContain(words);
  });

  it('filters by warnings to check and by a second submission, each with the other filters', async () => {
    await resubmitted('again');
    expect(await cases('?only=warned')).toEqual(['to-check', 'fraud']);
    expect(await cases('?only=resubmitted')).toEqual(['again']);
    expect(await cases('?only=resubmitted&claim=mine')).toEqual(['again']);
    expect(await cases('?only=resubmitted&claim=unclaimed')).toEqual([]);
    expect(await cases('?only=warned&type=kyb')).toEqual([]);
    expect(await cases('?only=nonsense')).toHaveLength(5);
    const { text } = await given.get('/review?only=warned&type=kyc');
    expect(text).toMatch(/<option value="warned" selected/);
    expect(text).toContain('action="/kyc/review/next?type=kyc&amp;only=warned"');
  });

  it('the next case has the same filter, and the queue keeps it once none is left', async () => {
    const again = await resubmitted('again');
    await given.act(again, 'release');
    const start = async (only: string) =>
      (await given.post(`/review/next?only=${only}`, {})).headers.get('Location') ?? '';
    expect(await start('resubmitted')).toBe(`/kyc/review/${again}?only=resubmitted`);
    expect(await start('resubmitted')).toBe('/kyc/review?only=resubmitted');
    for (const name of ['to-check', 'fraud']) {
      const [id = ''] = /[\w-]{36}/.exec(await start('warned')) ?? [];
      expect((await given.review.preview(id)).subjectReference).toBe(name);
    }
    expect(await start('warned')).toBe('/kyc/review?only=warned');
  });
});

describe('whom the cases are about', () => {
  it('each row has the name, the reference, the document and its country, and the page leaves one line', async () => {
    await given.submitted({ subjectReference: 'person' });
    const business = await given.submitted({ subjectReference: 'business', type: 'kyb' });
    await given.pending({ subjectReference: 'not-begun' });
    const { words } = await given.get('/review');
    expect(words).toContain('Ada Lovelace person Identity card Germany');
    expect(words).toMatch(/\w+ business Business \(KYB\) \w+/);
    expect((await given.get('/review?status=pending')).words).toContain('not-begun Person (KYC)');

    const lines = (await given.ports.storage.audit.read(0, 100)).filter(({ action }) => action !== 'review.queue');
    expect(lines.map(({ action, detail }) => [action, (detail as { cases?: string[] }).cases?.length])).toEqual([
      ['review.queue_subjects', 2],
      ['review.queue_subjects', 1],
    ]);
    expect(lines[0]).toMatchObject({ actor: { kind: 'reviewer', id: RITA }, outcome: 'allowed' });
    expect(lines[0]?.detail).toMatchObject({ cases: expect.arrayContaining([shortReference(business)]) });
    expect(JSON.stringify(lines)).not.toContain('Lovelace');
  });

  it('an empty list unseals nothing and leaves no line', async () => {
    await given.get('/review');
    expect(await given.ports.storage.audit.read(0, 100)).toEqual([]);
  });

  it('a damaged case says so and keeps its place', async () => {
    await given.submitted({ subjectReference: 'first' });
    const torn = await given.submitted({ subjectReference: 'torn' });
    await given.submitted({ subjectReference: 'last' });
    const { verifications } = given.ports.storage;
    const find = verifications.findForAnyClient;
    vi.spyOn(verifications, 'findForAnyClient').mockImplementation(async (id) =>
      id === torn ? unreadable(await find(id)) : find(id),
    );
    const { text, words, status } = await given.get('/review');
    expect([status, listed(text)]).toEqual([200, ['first', 'torn', 'last']]);
    expect(words).toMatch(/torn Data damaged Person \(KYC\)/);
  });

  it('a case that was submitted again says so', async () => {
    const id = await given.submitted();
    const says = '<span>Resubmitted</span>';
    expect((await given.get('/review')).text).not.toContain(says);
    await given.act(id, 'ask', {
      confirmed: 'yes',
      'ask.steps': 'selfie',
      'ask.selfie.reasonCode': 'selfie_unclear',
    });
    await given.redo(id);
    expect((await given.get('/review')).text).toContain(says);
  });
});

describe('the due time', () => {
  beforeEach(async () => {
    const settings = {
      placeOfBirth: false,
      proofOfAddress: false,
      readingIsAdvice: false,
      familyNameIndex: false,
      warningsInDetails: false,
      dueHours: 24,
    };
    await given.countersign.flowSettings.change(given.principal.clientId, settings);
  });

  it('a waiting case says when it is due, and then for how long it has been overdue', async () => {
    const id = await given.submitted();
    given.ports.clock.advance(5 * HOUR);
    const { words, text } = await given.get('/review');
    expect(words).toContain('5 hr due in 19 hr');
    expect(text).toContain(
      '<time datetime="2026-01-16T12:00:00.000Z" title="16 Jan 2026, 12:00 UTC">due in 19 hr',
    );
    given.ports.clock.advance(22 * HOUR);
    const late = await given.get('/review');
    expect(late.words).toContain('1 day 3 hr Overdue by 3 hr');
    expect(late.words).toMatch(/Waiting 1 .*Overdue 1 Decided/);
    expect(late.text).toMatch(/class="bad">Overdue by/);
    expect((await given.get(`/review/${id}`)).words).toContain('Waiting for 1 day, 3 hours Overdue by 3 hr');
  });

  it('a decided case and one that waits for its subject have none', async () => {
    const id = await given.submitted();
    await given.pending();
    given.ports.clock.advance(50 * HOUR);
    await given.act(id, 'approve', { confirmed: 'yes' });
    for (const status of ['approved', 'pending'])
      expect((await given.get(`/review?status=${status}`)).words).not.toMatch(/Overdue by|due in/);
  });
});

describe('the day of the team', () => {
  it('the day of the team is not there before the first case', async () => {
    expect((await given.get('/review')).words).not.toContain('Longest wait');
  });

  it('counts what waits, and what each reviewer decided today', async () => {
    const [first, second, third] = [await given.submitted(), await given.submitted(), await given.submitted()];
    await given.submitted();
    given.ports.clock.advance(2 * HOUR);
    await given.act(first, 'approve', { confirmed: 'yes' });
    await given.act(second, 'reject', { confirmed: 'yes', 'reject.reasonCodes': 'data_mismatch' });
    // The rejection claimed it.
    await given.act(third, 'release');
    await given.act(third, 'approve', { confirmed: 'yes' }, BEN);
    const { words } = await given.get('/review');
    expect(words).toContain(
      'Waiting 1 Longest wait 2 hr Decided today (UTC) 3 Median time to decision 2 hr By reviewer Rita Ora 1 approved, 1 rejected Ben <i>Bold</i> 1 approved, 0 rejected',
    );
    // The numbers are remembered for a short while.
    given.ports.clock.advance(24 * HOUR);
    expect((await given.get('/review')).words).toContain(
      'Waiting 1 Longest wait 1 day 2 hr Decided today (UTC) 0',
    );
  });
});

function unreadable(record: VerificationRecord | null): VerificationRecord | null {
  return record && unreadableRecord(record, new Error('torn'));
}
