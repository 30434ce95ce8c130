import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA } from '../../test-support/console.ts';
import { ANDY, type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';

const PAGE = '/dashboard/return-addresses';
const ADDRESSES = ['https://shop.example/kyc', 'https://app.shop.example/'];

let given: GivenDashboard;
beforeEach(async () => {
  given = await givenDashboard();
});

const addressesNow = async () => (await given.countersign.clients.get(given.clientId)).client.returnAddresses;

describe('the return addresses in the dashboard', () => {
  it('an owner replaces them line by line, and the settings list them', async () => {
    const answer = await given.send(PAGE, {
      returnAddresses: ` https://Shop.example/kyc/ \r\n\r\n${ADDRESSES[1]}\r\n`,
    });
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      303,
      '/kyc/dashboard/settings?done=returnAddresses',
    ]);
    expect(await addressesNow()).toEqual(ADDRESSES);
    const { words, text } = await given.open('/dashboard/settings?done=returnAddresses');
    expect(words).toContain('The return addresses are saved.');
    expect(words).toContain(`Return addresses ${ADDRESSES.join(' ')} Change the return addresses`);
    expect(text).toContain(`href="/kyc${PAGE}"`);
    expect(await given.lastLine()).toMatchObject({
      action: 'dashboard.change_return_addresses',
      outcome: 'allowed',
      detail: { origins: ['https://shop.example', 'https://app.shop.example'] },
    });
  });

  it('the form holds the current ones, and an empty form allows none', async () => {
    await given.countersign.clients.setReturnAddresses(given.clientId, ADDRESSES);
    expect((await given.open(PAGE)).text).toContain(ADDRESSES.join('\n'));
    await given.send(PAGE, { returnAddresses: '' });
    expect(await addressesNow()).toEqual([]);
    expect((await given.open('/dashboard/settings')).words).toContain(
      'The last page has no link to another site.',
    );
  });

  it('a bad line is quoted, the form keeps what was typed, and nothing changes', async () => {
    await given.countersign.clients.setReturnAddresses(given.clientId, ADDRESSES);
    const typed = `https://new.example/\njavascript:alert("<b>")\nhttps://${'x'.repeat(200)}@y.example/`;
    const { status, words, text } = await given.send(PAGE, { returnAddresses: typed });
    expect(status).toBe(422);
    expect(words).toContain(
      `“javascript:alert("<b>")” and “https://${'x'.repeat(92)}…” cannot be return addresses.`,
    );
    expect(text).not.toContain('alert("<b>")');
    expect(words).toContain('https://new.example/');
    expect(await addressesNow()).toEqual(ADDRESSES);
  });

  it.each([
    ['en', 'leads to the subject’s own device'],
    ['de', 'führt auf das eigene Gerät der Person'],
  ])('localhost is refused in %s with its reason, and nothing changes', async (language, reason) => {
    const lines = `${ADDRESSES[0]}\nhttp://localhost:3000/done`;
    const cookie = given.accounts.signedIn(CLARA, { confirmedAt: given.ports.clock.now() });
    const headers = { Cookie: cookie, 'Accept-Language': language };
    const { status, words } = await given.post(PAGE, { returnAddresses: lines }, CLARA, headers);
    expect(status).toBe(422);
    expect(words).toContain('http://localhost:3000/done');
    expect(words).toContain(reason);
    expect(await addressesNow()).toEqual([]);
  });

  it('all bad lines are quoted, of either kind', async () => {
    const { words } = await given.send(PAGE, { returnAddresses: `x\n${ADDRESSES[0]}\nhttp://localhost/a\ny` });
    expect(words).toContain('“x” and “y” cannot be return addresses.');
    expect(words).toContain(
      '“http://localhost/a” cannot be a return address. It leads to the subject’s own device.',
    );
    expect((await given.lastLine())?.detail).toMatchObject({ fields: 'returnAddresses' });
  });

  it('too many lines are refused', async () => {
    const lines = Array.from({ length: 21 }, (_, n) => `https://shop.example/${n}`);
    const { status, words } = await given.send(PAGE, { returnAddresses: lines.join('\n') });
    expect(status).toBe(422);
    expect(words).toContain('Enter at most 20 return addresses');
    expect(await addressesNow()).toEqual([]);
  });

  it.each([ANDY, VERA])('other roles neither see the page nor change them', async (role) => {
    expect((await given.open(PAGE, role)).status).toBe(403);
    expect((await given.send(PAGE, { returnAddresses: ADDRESSES[0] ?? '' }, role)).status).toBe(403);
    expect((await given.open('/dashboard/settings', role)).words).not.toContain('Change the return addresses');
    expect(await addressesNow()).toEqual([]);
  });
});
