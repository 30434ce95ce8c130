import { shortReference } from '@countersign/domain';
import { withdrawVerification } from '@countersign/domain/actions';
import { beforeEach, describe, expect, it } from 'vitest';
import { ADA, AGNES, type GivenTeam, givenTeam, OTTO, VIC } from '../../../test-support/client-team.ts';

const LIST = '/dashboard/verifications';
const DAY_MS = 86_400_000;
let given: GivenTeam;

beforeEach(async () => {
  given = await givenTeam();
});

/** The references on a page, in its order. */
function referencesIn(text: string): string[] {
  return [
    ...text.matchAll(/<th scope="row" class="clip"><a href="[^"]+" class="row-link as-typed"><bdi>([^<]*)</g),
  ].map(([, name = '']) => name);
}

/** Tone and word of each badge on a page, in its order. */
function badgesIn(text: string): string[] {
  return [...text.matchAll(/class="badge is-(\w+)"><svg.*?<\/svg>([^<]*)</gs)].map(
    ([, tone, word]) => `${tone} ${word}`,
  );
}

describe('the list of verifications', () => {
  it('is empty at first, and says how verifications come into it', async () => {
    const { status, words } = await given.get(LIST, ADA);
    expect(status).toBe(200);
    expect(words).toContain('There are no verifications yet.');
    expect(words).toContain('New verification');
  });

  it('shows in words who has each verification now, and its progress', async () => {
    await given.pending({ subjectReference: 'open' });
    await given.submitted({ subjectReference: 'handed-in', type: 'kyb' });
    const { words, text } = await given.get(LIST, ADA);
    expect(words).toContain('2 verifications');
    expect(words).toContain('open Waiting for subject Person (KYC)');
    expect(words).toContain('handed-in To review Business (KYB)');
    expect(words).toContain('0 of 6 steps');
    expect(words).toContain('7 of 7 steps');
    expect(text).toMatch(/<time datetime="\d{4}-\d\d-\d\dT[^"]+" title="[^"]+ UTC">1 min ago</);
  });

  it.each([
    ['en', 'Withdrawn', 'Expired', 'Rejected'],
    ['de', 'Zurückgezogen', 'Abgelaufen', 'Abgelehnt'],
  ])(
    'shows in %s a withdrawn and an expired verification as such, on the overview too, also once they are erased',
    async (language, ...states) => {
      const withdrawnId = await given.pending({ subjectReference: 'withdrawn' });
      const expiredId = await given.pending({ subjectReference: 'expired' });
      const rejected = await given.submitted({ subjectReference: 'rejected' });
      await given.act(rejected, 'reject', { 'reject.reasonCodes': ['data_mismatch'], confirmed: 'yes' });
      const operator = given.countersign.as({ kind: 'command_line' });
      await operator.run(withdrawVerification, { verificationId: withdrawnId });
      given.ports.clock.advance(400 * DAY_MS);
      await given.countersign.expiry.expire();

      const badgesOf = async (path: string) =>
        badgesIn((await given.get(path, ADA, { 'Accept-Language': language })).text).toSorted();
      const [withdrawn, expired, refused] = states;
      const all = [`idle ${expired}`, `idle ${withdrawn}`, `bad ${refused}`].toSorted();
      expect(await badgesOf(LIST)).toEqual(all);
      expect(await badgesOf(`${LIST}?status=rejected`)).toEqual(all);
      expect(await badgesOf('/dashboard')).toEqual(expect.arrayContaining(all));
      const reference = `${LIST}?prefix=${shortReference(expiredId)}`;
      expect(await badgesOf(reference)).toEqual([`idle ${expired}`]);

      for (const id of [withdrawnId, expiredId])
        await given.countersign.verifications.eraseData(given.principal, id);
      await given.countersign.retention.run();
      expect(await badgesOf(LIST)).toEqual(all);
    },
  );

  it('the export and the API keep the status of a withdrawn verification', async () => {
    const verificationId = await given.pending();
    await given.countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId });

    const { text } = await given.get(`${LIST}/export.csv`, ADA);
    expect(text).toContain(',rejected,');
    const { verifications } = await given.countersign.verifications.list(given.principal, {});
    expect(verifications.map(({ status }) => status)).toEqual(['rejected']);
  });

  it('shows 25 on a page by position, so that new verifications move no rows', async () => {
    for (let number = 1; number <= 60; number += 1) {
      await given.pending({ subjectReference: `user-${number}` });
      given.ports.clock.advance(1_000);
    }
    const first = await given.get(LIST, ADA);
    expect(referencesIn(first.text)).toHaveLength(25);
    expect(referencesIn(first.text)[0]).toBe('user-60');
    expect(first.words).not.toContain('Newest');

    await given.pending({ subjectReference: 'latecomer' });
    const second = await given.get(linkTo(first.text, 'Older'), ADA);
    expect(referencesIn(second.text)[0]).toBe('user-35');
    const third = await given.get(linkTo(second.text, 'Older'), ADA);
    expect(referencesIn(third.text)).toEqual(Array.from({ length: 10 }, (_, index) => `user-${10 - index}`));
    expect(third.words).toContain('These are the oldest.');
    const newest = await given.get(linkTo(third.text, 'Newest'), ADA);
    expect(referencesIn(newest.text)[0]).toBe('latecomer');
  });

  it('is filtered by its address, and keeps the filters in the links to older pages', async () => {
    for (let number = 1; number <= 30; number += 1) await given.pending({ subjectReference: `eu_${number}` });
    await given.pending({ subjectReference: 'EU_big' });
    await given.pending({ subjectReference: 'us_1', type: 'kyb' });
    const { words, text } = await given.get(`${LIST}?prefix=eu_&status=pending&type=kyc`, ADA);
    expect(words).toContain('30 verifications');
    const older = linkTo(text, 'Older');
    expect(older).toContain('status=pending&prefix=eu_&type=kyc&after=');
    expect(referencesIn((await given.get(older, ADA)).text)).toHaveLength(5);
    expect(text).toMatch(/href="[^"]+status=pending[^"]+" aria-current="true">Waiting for subject</);
    expect(text).toContain('<option value="kyc" selected="">');
    expect(text).toContain('<input type="hidden" name="status" value="pending"');
    expect(text).toContain('value="eu_"');
  });

  it('finds a verification by its short reference as people write it, with the other filters and in the export', async () => {
    const id = await given.pending({ subjectReference: 'asked-for' });
    await given.pending({ subjectReference: 'another' });
    const reference = shortReference(id);
    const { words } = await given.get(LIST, ADA);
    expect(words).toContain(reference);

    for (const typed of [reference, reference.toLowerCase().replace('-', ' ')]) {
      const found = await given.get(`${LIST}?prefix=${encodeURIComponent(typed)}`, ADA);
      expect(referencesIn(found.text)).toEqual(['asked-for']);
      expect(found.words).toContain('1 verification');
    }
    const csv = await given.get(`${LIST}/export.csv?prefix=${reference}`, ADA);
    expect(csv.text.trim().split('\n')).toHaveLength(2);
    expect(csv.text).toContain(id);
    const other = await given.get(`${LIST}?prefix=${reference}&status=approved`, ADA);
    expect(other.words).toContain('No verification matches these filters.');
    expect((await given.get(`${LIST}/${reference}`, ADA)).status).toBe(404);
  });

  it('a search lists verifications with that short reference first, then subject references that begin with it', async () => {
    const named = await given.pending({ subjectReference: 'named' });
    const reference = shortReference(named);
    given.ports.clock.advance(1_000);
    for (let number = 1; number <= 26; number += 1)
      await given.pending({ subjectReference: `${reference}-${number}` });
    const first = await given.get(`${LIST}?prefix=${reference}`, ADA);
    expect(first.words).toContain('27 verifications');
    expect(referencesIn(first.text)).toHaveLength(26);
    expect(referencesIn(first.text)[0]).toBe('named');
    const second = await given.get(linkTo(first.text, 'Older'), ADA);
    expect(referencesIn(second.text)).toEqual([`${reference}-1`]);
    expect(second.words).toContain('27 verifications');
    const csv = await given.get(`${LIST}/export.csv?prefix=${reference}`, ADA);
    expect(csv.text.trim().split('\n')).toHaveLength(28);
    expect((await given.get(`${LIST}?prefix=${reference}`, OTTO)).words).not.toContain('named');
  });

  it('takes the first and the last day as whole days', async () => {
    await given.pending({ subjectReference: 'day-1' });
    const day = given.ports.clock.now().toISOString().slice(0, 10);
    given.ports.clock.advance(DAY_MS);
    await given.pending({ subjectReference: 'day-2' });
    expect(referencesIn((await given.get(`${LIST}?from=${day}&until=${day}`, ADA)).text)).toEqual(['day-1']);
    expect(referencesIn((await given.get(`${LIST}?from=${day}`, ADA)).text)).toEqual(['day-2', 'day-1']);
  });

  it('matches every character of a prefix literally', async () => {
    await given.pending({ subjectReference: 'plain' });
    await given.pending({ subjectReference: '100% <b>_\\' });
    const { text } = await given.get(`${LIST}?prefix=${encodeURIComponent('100% <b>_')}`, ADA);
    expect(referencesIn(text)).toEqual(['100% &lt;b&gt;_\\']);
    for (const prefix of ['%', '_', '*', '.', ' ', 'PLAIN', 'plain ']) {
      const { words } = await given.get(`${LIST}?prefix=${encodeURIComponent(prefix)}`, ADA);
      expect(words, prefix).toContain('No verification matches these filters.');
    }
  });

  it.each([
    ['status=done', 'There is no status “done”'],
    ['type=kyx', 'There is no subject “kyx”'],
    [
      `prefix=${'x'.repeat(257)}`,
      'Enter the beginning of a subject reference (up to 256 characters) or a short reference',
    ],
    ['prefix=a%00b', 'Enter the beginning of a subject reference (up to 256 characters) or a short reference'],
    ['from=2026-02-31', '“2026-02-31” is not a valid day'],
    ['until=tomorrow', '“tomorrow” is not a valid day'],
    ['from=2026-03-02&until=2026-03-01', 'The last day must not be before the first day'],
    ['prefix=7K3F-92QD%00', 'or a short reference'],
    ['after=forged', 'does not lead to a page of the list'],
    ['after=2026-03-01T10%3A00%3A00.000Z_%27%20OR%201%3D1', 'does not lead to a page of the list'],
  ])('with %s says what is wrong, and shows none rather than all', async (query, message) => {
    await given.pending({ subjectReference: 'not-to-be-seen' });
    const { status, words, text } = await given.get(`${LIST}?${query}`, ADA);
    expect(status).toBe(400);
    expect(words).toContain(message);
    expect(words).not.toContain('not-to-be-seen');
    expect(text).toContain('<title>Error: ');
    expect(text).toContain('href="/kyc/dashboard/verifications"');
  });

  it('shows every invalid filter at its field, with its value', async () => {
    const { text } = await given.get(`${LIST}?status=done&from=soon`, ADA);
    expect(text).toContain('aria-describedby="field-status-error"');
    expect(text).toMatch(/<input id="field-from"[^>]* aria-invalid="true"[^>]* type="text" value="soon"/);
  });

  it('shows no verification of another client, with any filter and at any position', async () => {
    const id = await given.pending({ subjectReference: 'acme-1' });
    for (const query of ['', `?prefix=${shortReference(id)}`, '?prefix=acme', '?status=pending']) {
      expect((await given.get(LIST + query, OTTO)).words).not.toContain('acme-1');
    }
  });

  it('offers only the actions of the role', async () => {
    await given.pending();
    const offers = async (as: string) => {
      const { words } = await given.get(LIST, as);
      return ['New verification', 'Export as CSV'].filter((offer) => words.includes(offer));
    };
    expect(await offers(AGNES)).toEqual(['New verification', 'Export as CSV']);
    expect(await offers(VIC)).toEqual([]);
  });

  it('speaks German', async () => {
    await given.pending();
    const { words } = await given.get(LIST, ADA, { 'Accept-Language': 'de' });
    expect(words).toContain('1 Prüfung');
    expect(words).toContain('Wartet auf Angaben');
  });
});

/** The path below the service's address that a link with this text leads to. */
function linkTo(text: string, label: string): string {
  const href = new RegExp(`<a href="/kyc([^"]+)"[^>]*>${label}</a>`).exec(text)?.[1];
  if (href === undefined) throw new Error(`There is no link ${label}`);
  return href.replaceAll('&amp;', '&');
}
