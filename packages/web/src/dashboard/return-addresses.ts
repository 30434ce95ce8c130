import { changeReturnAddresses, getOwnClient } from '@countersign/domain/actions';
import type { Client, ClientWithSubscription } from '@countersign/domain/clients';
import { Hono } from 'hono';
import { type ActionPage, actionPages } from '../actions/action-page.tsx';
import { returnAddressForm } from '../actions/return-address-page.tsx';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { SETTINGS_PATH } from './paths.ts';

/** The page on which owners change where subjects may return to. */
export function returnAddressRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  actionPages(routes, site)(change);
  return routes;
}

const change: ActionPage<{ readonly returnAddresses: readonly string[] }, Client, ClientWithSubscription> = {
  ...returnAddressForm,
  action: changeReturnAddresses,
  path: '/',
  back: { path: SETTINGS_PATH, label: 'dashboard:nav.settings' },
  load: (context) => context.get('as').run(getOwnClient, {}),
  done: () => `${SETTINGS_PATH}?done=returnAddresses`,
};
