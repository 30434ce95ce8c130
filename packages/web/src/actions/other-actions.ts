import type { Action, ActionEntry, Who } from '@countersign/domain';
import type { Hono } from 'hono';
import { hasMessage, type MessageKey } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { AREAS, type AreaName, type MenuItem, type StaffEnv } from '../staff/area.tsx';
import type { Link } from '../staff/page-parts.tsx';
import { mountPage } from './action-page.tsx';

/** An action whose page is drawn from its entry and texts alone. */
interface OtherAction {
  readonly action: Action<never, unknown>;
  /** Path below the area: `/actions/clients/rename/:clientId`. */
  readonly path: string;
  /** Null if the page needs an id in its address, so that a menu cannot lead to it. */
  readonly item: MenuItem | null;
}

/**
 * Returns the actions of an area that have texts for a page (`actions:{id}.title`) and no page of their own. Call it
 * after all pages of the site are mounted.
 */
function otherActions({ options, actionPages }: Site, area: AreaName): readonly OtherAction[] {
  return options.actions.flatMap((entry) => {
    const { id, who, fields } = entry;
    const title = `actions:${id}.title`;
    if (areaFor(who) !== area || actionPages.has(id) || !hasMessage(title)) return [];
    const ids = Object.keys(fields).filter((key) => fields[key]?.by === 'page');
    const path = ['/actions', ...id.split('.'), ...ids.map((key) => `:${key}`)].join('/');
    const item = { path: AREAS[area].path + path, label: nameOf(entry, title), action: entry };
    // The catalogue lists actions as entries, without the types of input and result.
    return [{ action: entry as Action<never, unknown>, path, item: ids.length === 0 ? item : null }];
  });
}

/** The area of an action: where the first group of its callers works. A team right belongs to the dashboard. */
function areaFor(who: readonly Who[]): AreaName | undefined {
  const areas = who.map((group) => (typeof group === 'string' ? AREA_OF[group] : 'dashboard'));
  return areas.find((name) => name !== null);
}

/** The area where a group of callers works. */
const AREA_OF: Readonly<Record<Extract<Who, string>, AreaName | null>> = {
  team: 'dashboard',
  reviewer: 'review',
  operator: 'admin',
  command_line: null,
};

function nameOf({ id }: ActionEntry, title: MessageKey): MessageKey {
  const name = `actions:${id}.name`;
  return hasMessage(name) ? name : title;
}

/** Mounts the pages of the other actions. @param next where to go when an action is done */
export function mountOtherActions(
  routes: Hono<StaffEnv>,
  site: Site,
  area: AreaName,
  back: Link,
  next: (action: ActionEntry) => string = () => `${back.path}?done=action`,
): void {
  for (const { action, path } of otherActions(site, area)) {
    mountPage(routes, { action, path, back, done: () => next(action) });
  }
}

/** Links to the pages of the other actions. */
export function otherItems(site: Site, area: AreaName): readonly MenuItem[] {
  return otherActions(site, area).flatMap(({ item }) => (item === null ? [] : [item]));
}
