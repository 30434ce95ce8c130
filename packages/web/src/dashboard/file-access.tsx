import { getOwnClient, switchFileAccess } from '@countersign/domain/actions';
import type { Client, ClientWithSubscription } from '@countersign/domain/clients';
import { Hono } from 'hono';
import { type ActionPage, actionPages } from '../actions/action-page.tsx';
import { Notice } from '../parts/blocks.tsx';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { SETTINGS_PATH } from './paths.ts';

/** The page on which owners switch access to files on or off. */
export function fileAccessRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  actionPages(routes, site)(change);
  return routes;
}

const change: ActionPage<{ readonly fileAccess: boolean }, Client, ClientWithSubscription> = {
  action: switchFileAccess,
  path: '/',
  back: { path: SETTINGS_PATH, label: 'dashboard:nav.settings' },
  load: (context) => context.get('as').run(getOwnClient, {}),
  intro: (_, { t }) => <Notice tone="warn">{t('actions:fileAccess.warning')}</Notice>,
  initial: ({ client }) => ({ fileAccess: client.fileAccess }),
  done: ({ fileAccess }) => `${SETTINGS_PATH}?done=${fileAccess ? 'filesOn' : 'filesOff'}`,
};
