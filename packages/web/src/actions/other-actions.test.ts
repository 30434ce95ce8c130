import type { ActionEntry } from '@countersign/domain/actions';
import { expect, it } from 'vitest';
import { aContext, aSite } from '../../test-support/drawn.ts';
import { otherItems, otherLinks } from './other-actions.ts';

/** Creates an entry with the id of a real action, whose texts it uses. */
const entry = (id: string, who: ActionEntry['who'], fields: ActionEntry['fields'] = {}): ActionEntry =>
  ({ id, who, fields }) as ActionEntry;
const ID = { kind: 'id', by: 'page' } as const;

const ENTRIES = [
  entry('api_keys.create', [{ right: 'manage_keys' }, 'operator']),
  entry('api_keys.rotate', ['reviewer']),
  entry('api_keys.revoke', ['command_line']),
  // An action without a title has no page.
  entry('api_keys.list', ['operator']),
  entry('users.invite', ['operator'], { clientId: ID, userId: ID, name: { kind: 'text', max: 10 } }),
  entry('users.remove', ['operator'], { userId: ID }),
];

const siteWith = (ownPages: readonly string[] = []) => aSite({ actions: ENTRIES }, ownPages);

it.each([
  ['dashboard', ['/dashboard/actions/api_keys/create']],
  ['review', ['/review/actions/api_keys/rotate']],
  ['admin', ['/admin/actions/api_keys/create']],
] as const)('the menu of %s has the actions of its callers whose address has no id', (area, paths) => {
  const items = otherItems(siteWith(), area);
  expect(items.map(({ path }) => path)).toEqual(paths);
  for (const { label } of items) expect(label).toMatch(/^actions:api_keys\.\w+\.name$/);
});

it('an action with its own page is not in the menu', () => {
  expect(otherItems(siteWith(['api_keys.create']), 'admin')).toEqual([]);
});

it('the menu of a site is built once per area', () => {
  const site = siteWith();
  const [first] = otherItems(site, 'admin');
  Object.assign(site, { options: { actions: [] } });
  expect(otherItems(site, 'admin')).toEqual([first]);
  expect(otherItems(site, 'review')).toEqual([]);
});

it('a page links to the actions that the user may run on the things that it shows', () => {
  const links = (ids: Readonly<Record<string, string>>, refused: readonly string[] = []) => {
    const context = aContext({ now: new Date(), refused, area: 'admin', actions: ENTRIES });
    return otherLinks(context, ids).map(({ path }) => path);
  };
  expect(links({ userId: 'a/b' })).toEqual(['/admin/actions/users/remove/a%2Fb']);
  expect(links({ clientId: 'c', userId: 'u' })).toEqual([
    '/admin/actions/users/invite/c/u',
    '/admin/actions/users/remove/u',
  ]);
  expect(links({ userId: 'u' }, ['users.remove'])).toEqual([]);
  expect(links({})).toEqual([]);
});
