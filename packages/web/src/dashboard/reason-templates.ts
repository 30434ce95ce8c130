import { changeReasonTemplates, getOwnClient } from '@countersign/domain/actions';
import type { Client, ClientWithSubscription, ReasonTemplatesInput } from '@countersign/domain/clients';
import { Hono } from 'hono';
import { type ActionPage, actionPages } from '../actions/action-page.tsx';
import { reasonTemplatesForm } from '../actions/reason-templates.tsx';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { SETTINGS_PATH } from './paths.ts';

/** The page on which owners change the messages that reviewers insert. */
export function reasonTemplatesRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  actionPages(routes, site)(change);
  return routes;
}

const change: ActionPage<ReasonTemplatesInput, Client, ClientWithSubscription> = {
  ...reasonTemplatesForm,
  action: changeReasonTemplates,
  path: '/',
  back: { path: SETTINGS_PATH, label: 'dashboard:nav.settings' },
  load: (context) => context.get('as').run(getOwnClient, {}),
  done: () => `${SETTINGS_PATH}?done=reasonTemplates`,
};
