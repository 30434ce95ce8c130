import { expect, it } from 'vitest';
import { CLARA } from '../../test-support/console.ts';
import { givenDashboard } from '../../test-support/dashboard.ts';
import { pageDocument } from '../../test-support/page-document.ts';

it('menus open without a script, have a name each, and hold links and forms', async () => {
  const given = await givenDashboard();
  for (const name of ['Production', 'Staging'])
    await given.countersign.apiKeys.issue(given.clientId, { name, permissions: ['verifications:read'] });

  const page = pageDocument((await given.open('/dashboard/keys', CLARA)).text);

  const menus = [...page.querySelectorAll('details:is(.menu, .menu-switch, .user-menu)')];
  const named = menus.map((menu) => {
    const summary = menu.querySelector('summary');
    const items = [...menu.querySelectorAll('a[href], form button')];
    return [
      menu.getAttribute('class'),
      (summary?.getAttribute('aria-label') ?? summary?.textContent ?? '').trim(),
      items.map((item) => (item.getAttribute('aria-label') ?? item.textContent).trim()),
    ];
  });
  const ofKey = (name: string) => ['menu', `Actions: ${name}`, [`Replace: ${name}`, `Revoke: ${name}`]];
  expect(named).toEqual([
    // It shows the links of the area, which stand beside it.
    ['menu-switch', 'Menu', []],
    ['user-menu', 'Account of Clara Client', ['Account security', 'Deutsch', 'Sign out']],
    ...['Staging', 'Production', 'tests'].map(ofKey),
  ]);
  // Browsers close a menu when another of its name opens.
  expect(menus.filter((menu) => menu.getAttribute('name') === 'menu')).toHaveLength(3);
});
