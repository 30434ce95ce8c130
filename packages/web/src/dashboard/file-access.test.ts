import { beforeEach, describe, expect, it } from 'vitest';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';

const PAGE = '/dashboard/file-access';

let given: GivenDashboard;
beforeEach(async () => {
  given = await givenDashboard();
});

const isOn = async () => (await given.countersign.clients.get(given.clientId)).client.fileAccess;

describe('access to files in the dashboard', () => {
  it('access to files in the dashboard is off at first; an owner switches it on and off, which the settings and the audit log show', async () => {
    expect(await isOn()).toBe(false);
    expect((await given.open('/dashboard/settings')).words).toContain('Access to files is off:');
    for (const [fileAccess, done, state] of [
      [true, 'filesOn', 'Access to files is on.'],
      [false, 'filesOff', 'Access to files is off.'],
    ] as const) {
      const answer = await given.send(PAGE, { fileAccess: String(fileAccess) });
      expect([answer.status, answer.headers.get('Location')]).toEqual([
        303,
        `/kyc/dashboard/settings?done=${done}`,
      ]);
      expect(await isOn()).toBe(fileAccess);
      expect((await given.open(`/dashboard/settings?done=${done}`)).words).toContain(state);
      expect(await given.lastLine()).toMatchObject({
        action: 'dashboard.switch_files',
        outcome: 'allowed',
        detail: { fileAccess },
      });
    }
  });

  it('the form warns of what the files are, and holds the current state', async () => {
    await given.countersign.clients.setFileAccess(given.clientId, true);
    const { words, text } = await given.open(PAGE);
    expect(words).toContain('The files include pictures of identity documents and faces.');
    expect(text).toMatch(/<input[^>]*name="fileAccess"[^>]*checked/);
  });

  it('a form without the choice is refused, and nothing changes', async () => {
    expect((await given.send(PAGE, {})).status).toBe(422);
    expect(await isOn()).toBe(false);
  });

  it.each([ANDY, VERA])('other roles neither see the page nor switch it', async (role) => {
    expect((await given.open(PAGE, role)).status).toBe(403);
    expect((await given.send(PAGE, { fileAccess: 'true' }, role)).status).toBe(403);
    expect(await isOn()).toBe(false);
  });
});
