import { openRestrictedData } from '@countersign/domain/actions';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, OLGA, RITA } from '../../../test-support/console.ts';
import { ANDY, FRED, type GivenDashboard, givenDashboard, VERA } from '../../../test-support/dashboard.ts';

const LIST = '/dashboard/verifications';
const PAGES = ['hold', 'release-hold', 'relationship-end', 'erase', 'open'] as const;
let given: GivenDashboard;

beforeEach(async () => {
  given = await givenDashboard();
});

async function approved(): Promise<string> {
  const id = await given.submitted({ answers: { person: { firstName: 'Zoë' } } });
  await given.act(id, 'approve', { confirmed: 'yes' });
  return id;
}

const pathOf = (id: string, name: (typeof PAGES)[number]) => `${LIST}/${id}/${name}`;

describe('the pages of an owner', () => {
  it('put a verification on hold, change the hold and release it', async () => {
    const id = await approved();
    const hold = { reason: 'Lawsuit 7 <b>', until: '2030-02-03T04:05' };
    const held = await given.send(pathOf(id, 'hold'), hold);
    expect(held.headers.get('Location')).toBe(`/kyc${LIST}/${id}?done=held`);
    const shown = await given.get(`${LIST}/${id}?done=held`, CLARA);
    expect(shown.words).toContain('The verification is on hold.');
    expect(shown.words).toMatch(/Data On hold since .+, until 3 Feb 2030, 04:05 UTC/);
    expect(shown.words).toContain('Reason for the hold Lawsuit 7 <b>');

    const again = await given.open(pathOf(id, 'hold'));
    expect(again.text).toContain('value="2030-02-03T04:05"');
    expect(again.text).toContain('Lawsuit 7 &lt;b&gt;</textarea>');
    await given.send(pathOf(id, 'hold'), { ...hold, until: '' });
    expect((await given.get(`${LIST}/${id}`, CLARA)).words).toMatch(/On hold since .+, with no end date/);

    const released = await given.send(pathOf(id, 'release-hold'));
    expect(released.headers.get('Location')).toContain('done=holdReleased');
    const afterwards = await given.get(`${LIST}/${id}`, CLARA);
    expect(afterwards.words).toContain('Data Kept until');
    expect(afterwards.words).not.toContain('Lawsuit');
    expect((await given.open(pathOf(id, 'release-hold'))).words).toContain('not possible in the current status');
  });

  it('show that an operator set a hold, and refuse to change and to release it', async () => {
    const id = await approved();
    await given.send(`/review/${id}/hold`, { reason: 'Lawsuit 7' }, OLGA);
    const { words } = await given.get(`${LIST}/${id}`, CLARA);
    expect(words).toContain('Hold set by An operator. Only operators can change or release it');
    for (const label of ['Release the hold …', 'Put on hold …']) expect(words).not.toContain(label);
    for (const name of ['hold', 'release-hold'] as const) {
      const refused = 'Only operators can change or release the hold. Nothing was changed.';
      expect((await given.open(pathOf(id, name))).words, name).toContain(refused);
      expect((await given.send(pathOf(id, name), { reason: 'Mine' })).words, name).toContain(refused);
    }
    expect((await given.get(`/review/${id}`, OLGA)).words).toContain('Release the hold …');
  });

  it.each([
    [{ reason: '', until: '' }, 'Enter a reason'],
    [{ reason: 'x', until: '2001-01-01T00:00' }, 'Enter a day and a time in the future, or leave the field empty'],
    [{ reason: 'x', until: 'soon' }, 'Enter a day and a time in the future, or leave the field empty'],
  ])('refuse a hold with %j beside the field', async (fields, message) => {
    const id = await approved();
    const { status, text, words } = await given.send(pathOf(id, 'hold'), fields);
    expect(status).toBe(422);
    expect(words).toContain(message);
    expect(text).toMatch(/class="field has-error"/);
  });

  it('set the end of the relationship, from which the data is kept, and take it back', async () => {
    const id = await approved();
    const ended = await given.send(pathOf(id, 'relationship-end'), { endedAt: '2026-01-10T12:00' });
    expect(ended.headers.get('Location')).toContain('done=relationshipEnded');
    const { words } = await given.get(`${LIST}/${id}?done=relationshipEnded`, CLARA);
    expect(words).toContain('The customer relationship end is saved.');
    expect(words).toMatch(/Data Kept until \d+ Jan 2031, 00:00 UTC/);
    expect(words).toContain('Relationship ended 10 Jan 2026, 12:00 UTC');
    const back = await given.send(pathOf(id, 'relationship-end'), { endedAt: '' });
    expect(back.headers.get('Location')).toContain('done=relationshipGoesOn');
    expect((await given.get(`${LIST}/${id}`, CLARA)).words).toMatch(/Data Kept until \d+ Jan 2036/);
    expect((await given.send(pathOf(id, 'relationship-end'), { endedAt: '2099-01-01T00:00' })).words).toContain(
      'at most one day ahead',
    );
  });

  it('ask for the password before a hold and before its release, and change nothing without it', async () => {
    const id = await approved();
    const toConfirm = /^\/kyc\/account\/confirm\?returnTo=/;
    const hold = { reason: 'Lawsuit 7' };
    for (const [as, path] of [
      [CLARA, pathOf(id, 'hold')],
      [OLGA, `/review/${id}/hold`],
    ] as const) {
      expect((await given.get(path, as)).headers.get('Location'), path).toMatch(toConfirm);
      expect((await given.post(path, hold, as)).headers.get('Location'), path).toMatch(toConfirm);
      expect(await given.lastLine()).toMatchObject({
        outcome: 'refused',
        detail: { code: 'CONFIRMATION_NEEDED' },
      });
    }
    expect((await given.get(`${LIST}/${id}`, CLARA)).words).not.toContain('On hold');

    await given.send(pathOf(id, 'hold'), hold);
    const release = pathOf(id, 'release-hold');
    expect((await given.get(release, CLARA)).headers.get('Location')).toMatch(toConfirm);
    expect((await given.post(release, {}, CLARA)).headers.get('Location')).toMatch(toConfirm);
    expect((await given.get(`${LIST}/${id}`, CLARA)).words).toContain('On hold since');
  });

  it('ask for the password before an erasure, and say what goes, what remains and until when the law obliges', async () => {
    const id = await approved();
    const unconfirmed = await given.get(pathOf(id, 'erase'), CLARA);
    expect(unconfirmed.headers.get('Location')).toMatch(/^\/kyc\/account\/confirm\?returnTo=/);
    expect((await given.post(pathOf(id, 'erase'), {}, CLARA)).headers.get('Location')).toMatch(
      /confirm\?returnTo=/,
    );

    const { words } = await given.open(pathOf(id, 'erase'));
    expect(words).toMatch(/The law requires the data to be kept until \d+ Jan 2036, 00:00 UTC/);
    expect(words).toContain('What is erased Answers, pictures and other files');
    expect(words).toContain('What remains Id, type, status');
    const asked = await given.send(pathOf(id, 'erase'));
    expect(asked.headers.get('Location')).toContain('done=erasureRequested');
    expect((await given.open(pathOf(id, 'erase'))).words).toContain('not possible in the current status');
  });

  it('say after the erasure that a verification was withdrawn', async () => {
    const id = await given.pending({ subjectReference: 'mira' });
    await given.send(pathOf(id, 'erase'));
    const { words } = await given.get(`${LIST}/${id}`, CLARA);
    expect(words).toMatch(/Withdrawn by your team/);
    expect(words).not.toMatch(/Rejected by/);
  });

  it('withdraw an open verification and erase it at the same time', async () => {
    const id = await given.pending({ subjectReference: 'mira' });
    expect((await given.open(pathOf(id, 'erase'))).words).toContain('It is withdrawn first');
    expect((await given.send(pathOf(id, 'erase'))).headers.get('Location')).toContain('done=erased');
    const { words, text } = await given.get(`${LIST}/${id}?done=erased`, CLARA);
    expect(words).toContain('The data has been erased.');
    expect(text).not.toContain('id="retention-title"');
    expect(words).not.toContain('mira');
  });

  it('open hidden data with a reason, for one page only', async () => {
    const id = await approved();
    await given.send(pathOf(id, 'erase'));
    expect((await given.get(`${LIST}/${id}`, CLARA)).words).toContain('Open the hidden data …');
    expect((await given.send(pathOf(id, 'open'), { reason: ' ' })).words).toContain('Enter a reason');
    const opened = await given.send(pathOf(id, 'open'), { reason: 'The subject asked for a copy' });
    expect(opened.status).toBe(200);
    expect(opened.words).toContain('You opened hidden data.');
    expect(opened.words).toContain('First name Zoë');
    expect(opened.words).toContain('Document, front');
    expect((await given.get(`${LIST}/${id}`, CLARA)).text).not.toContain('Zoë');
    const line = (await given.audit()).find(
      ({ action, outcome }) => action === openRestrictedData.id && outcome === 'allowed',
    );
    expect(line).toMatchObject({ targetId: id });
    expect(JSON.stringify(await given.audit())).not.toContain('asked for a copy');
  });
});

describe('other roles', () => {
  it('an agent ends the relationship and gets no other page; a viewer gets none', async () => {
    const id = await approved();
    const { words } = await given.get(`${LIST}/${id}`, ANDY);
    expect(words).toContain('Set the customer relationship end …');
    for (const label of ['Put on hold …', 'Erase the data …']) expect(words).not.toContain(label);
    expect((await given.get(`${LIST}/${id}`, VERA)).text).not.toContain('id="retention-title"');
    for (const name of PAGES) {
      const allowed = name === 'relationship-end' ? [200, 303] : [403, 403];
      const asAgent = [await given.open(pathOf(id, name), ANDY), await given.send(pathOf(id, name), {}, ANDY)];
      expect(
        asAgent.map(({ status }) => status),
        name,
      ).toEqual(allowed);
      expect((await given.open(pathOf(id, name), VERA)).status, name).toBe(403);
      expect((await given.send(pathOf(id, name), {}, VERA)).status, name).toBe(403);
    }
  });

  it('an agent sees that a verification is on hold, and not why', async () => {
    const id = await approved();
    await given.send(pathOf(id, 'hold'), { reason: 'Lawsuit 7' });
    const { words } = await given.get(`${LIST}/${id}`, ANDY);
    expect(words).toContain('On hold since');
    expect(words).not.toContain('Lawsuit');
  });

  it('another client’s owner gets the 404 of an unknown verification', async () => {
    const id = await approved();
    for (const name of PAGES) {
      expect((await given.open(pathOf(id, name), FRED)).status, name).toBe(404);
      expect((await given.send(pathOf(id, name), { reason: 'x' }, FRED)).status, name).toBe(404);
    }
  });
});

describe('the console', () => {
  it('lets an operator hold, release and erase, and shows a reviewer the reason of the hold', async () => {
    const id = await approved();
    const held = await given.send(`/review/${id}/hold`, { reason: 'Lawsuit 7' }, OLGA);
    expect(held.headers.get('Location')).toBe(`/kyc/review/${id}?done=held`);
    const asReviewer = await given.get(`/review/${id}`, RITA);
    expect(asReviewer.words).toContain('Reason for the hold Lawsuit 7');
    for (const label of ['Release the hold …', 'Erase the data …', 'Put on hold …'])
      expect(asReviewer.words).not.toContain(label);
    expect((await given.get(`/review/${id}`, OLGA)).words).toContain('Release the hold …');
    expect((await given.open(`/review/${id}/erase`, OLGA)).words).toContain('erased when the hold has ended');
    await given.send(`/review/${id}/release-hold`, {}, OLGA);
    await given.send(`/review/${id}/relationship-end`, { endedAt: '2026-01-10T12:00' }, OLGA);
    const erased = await given.send(`/review/${id}/erase`, {}, OLGA);
    expect(erased.headers.get('Location')).toBe(`/kyc/review/${id}?done=erasureRequested`);
    expect((await given.get(`/review/${id}?done=erasureRequested`, OLGA)).words).toContain(
      'The erasure is requested. The data is hidden from now on.',
    );
  });

  it('refuses a reviewer each page', async () => {
    const id = await approved();
    for (const name of ['hold', 'release-hold', 'relationship-end', 'erase']) {
      expect((await given.open(`/review/${id}/${name}`, RITA)).status, name).toBe(403);
      expect((await given.send(`/review/${id}/${name}`, { reason: 'x' }, RITA)).status, name).toBe(403);
    }
  });
});

it('speaks German', async () => {
  const id = await approved();
  const cookie = `${given.accounts.signedIn(CLARA, { confirmedAt: given.ports.clock.now() })}; language=de`;
  const german = async (path: string) => (await given.get(path, CLARA, { Cookie: cookie })).words;
  expect(await german(`${LIST}/${id}`)).toMatch(/Aufbewahrung .*Löschung sperren … .*Daten löschen …/);
  expect(await german(pathOf(id, 'hold'))).toContain('Ende der Sperre (UTC)');
  expect(await german(pathOf(id, 'erase'))).toMatch(/Das Gesetz schreibt vor, .* Was gelöscht wird .* Was bleibt/);
});
