import { OPENING_MS } from '@countersign/domain/retention';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Answer, aUser, CLARA, PASSWORD } from '../../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard } from '../../../test-support/dashboard.ts';

const LIST = '/dashboard/verifications';
const PETRA = 'petra';

let given: GivenDashboard;
let id: string;
let filePath: string;

beforeEach(async () => {
  given = await givenDashboard();
  given.accounts.add(aUser(PETRA, { role: 'client', clientId: given.clientId, teamRole: 'owner' }), PASSWORD);
  await given.countersign.clients.setFileAccess(given.clientId, true);
  id = await given.submitted();
  const { documents } = await given.countersign.verifications.details(given.principal, id);
  filePath = `${LIST}/${id}/files/${documents[0]?.id}`;
  await given.act(id, 'approve', { confirmed: 'yes' });
  await given.send(`${LIST}/${id}/erase`);
});

const open = () => given.send(`${LIST}/${id}/open`, { reason: 'The subject asked for a copy' });
const read = (as = CLARA) => given.get(filePath, as);
const expectLedBack = ({ status, headers }: Answer) =>
  expect([status, headers.get('Location')]).toEqual([303, `/kyc${LIST}/${id}`]);

describe('files of hidden data', () => {
  it('an owner who opened it with a reason views and downloads them, and each time is recorded', async () => {
    expectLedBack(await read());
    const { text, words } = await open();
    expect(words).toContain('You can view and download its files here for 15 minutes.');
    expect(text).toContain(`href="/kyc${filePath}"`);
    const { status, headers } = await read();
    expect([status, headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
    const lines = (await given.audit()).filter(({ action }) => action === 'verifications.read_file');
    expect(lines.map(({ actor, outcome, targetId }) => [actor.id, outcome, targetId])).toEqual([
      [CLARA, 'allowed', id],
      [CLARA, 'refused', id],
      [CLARA, 'allowed', id],
    ]);
  });

  it('files of hidden data are served for 15 minutes only', async () => {
    await open();
    given.ports.clock.advance(OPENING_MS - 1);
    expect((await read()).status).toBe(200);
    given.ports.clock.advance(1);
    expectLedBack(await read());
    await open();
    expect((await read()).status).toBe(200);
  });

  it('neither another owner nor an agent reads them, and no zip has them', async () => {
    await open();
    for (const as of [PETRA, ANDY]) {
      expectLedBack(await read(as));
      expectLedBack(await given.get(`${filePath}/thumbnail`, as));
    }
    expectLedBack(await given.get(`${LIST}/${id}/export`, CLARA));
  });

  it('switched off: the opened page has no links', async () => {
    await given.countersign.clients.setFileAccess(given.clientId, false);
    const { text, words } = await open();
    expect(text).not.toContain('/files/');
    expect(words).not.toContain('15 minutes');
    expectLedBack(await read());
  });
});
