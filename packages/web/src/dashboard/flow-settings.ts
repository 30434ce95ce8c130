import { changeFlowSettings, getOwnFlowSettings } from '@countersign/domain/actions';
import type { ClientFlowSettings, FlowSettingsInput } from '@countersign/domain/clients';
import { Hono } from 'hono';
import { type ActionPage, actionPages } from '../actions/action-page.tsx';
import { flowSettingsForm } from '../actions/flow-settings.tsx';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { SETTINGS_PATH } from './paths.ts';

/** The page on which owners change the flow settings. */
export function flowSettingsRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  actionPages(routes, site)(change);
  return routes;
}

const change: ActionPage<FlowSettingsInput, ClientFlowSettings, ClientFlowSettings> = {
  ...flowSettingsForm<ClientFlowSettings>(),
  action: changeFlowSettings,
  path: '/',
  back: { path: SETTINGS_PATH, label: 'dashboard:nav.settings' },
  load: (context) => context.get('as').run(getOwnFlowSettings, {}),
  done: () => `${SETTINGS_PATH}?done=flow`,
};
