import type { Action, ActionEntry, Who } from '@countersign/domain/actions';
import type { ClientMode } from '@countersign/domain/clients';
import type { Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Link } from '../parts/page-parts.tsx';
import { hasMessage, type MessageKey } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { AREAS, type AreaName, type MenuItem, type StaffEnv } from '../staff/area.tsx';
import { mountPage } from './action-page.tsx';

/** An action whose page is drawn from its entry and texts alone. */
interface OtherAction {
  readonly action: Action<never, unknown>;
  readonly label: MessageKey;
  /** Path below the area: `/actions/clients/rename/:clientId`. */
  readonly path: string;
  /** The ids in the path: `clientId`. A menu cannot lead to a page with ids. */
  readonly ids: readonly string[];
}

/**
 * Returns the actions of an area that have texts for a page (`actions:{id}.title`) and no page of their own. Call it
 * after all pages of the site are mounted.
 */
function otherActions({ options, actionPages }: Site, area: AreaName): readonly OtherAction[] {
  return options.actions.flatMap((entry) => {
    const { id, who, fields } = entry;
    const title = `actions:${id}.title`;
    if (!areasFor(who).has(area) || actionPages.has(id) || !hasMessage(title)) return [];
    const ids = Object.keys(fields).filter((key) => fields[key]?.by === 'page');
    const path = ['/actions', ...id.split('.'), ...ids.map((key) => `:${key}`)].join('/');
    // The catalogue lists actions as entries, without the types of input and result.
    return [{ action: entry as Action<never, unknown>, label: nameOf(entry, title), path, ids }];
  });
}

const KEPT = new WeakMap<Site, Map<AreaName, readonly OtherAction[]>>();

/** Finds the other actions of an area once and keeps them: pages ask for them with each request, after all pages are mounted. */
function keptActions(site: Site, area: AreaName): readonly OtherAction[] {
  const ofSite = KEPT.get(site) ?? new Map<AreaName, readonly OtherAction[]>();
  KEPT.set(site, ofSite);
  const kept = ofSite.get(area) ?? otherActions(site, area);
  ofSite.set(area, kept);
  return kept;
}

/** The areas of an action: where each group of its callers works. A team right belongs to the dashboard. */
function areasFor(who: readonly Who[]): ReadonlySet<AreaName | null> {
  return new Set(who.map((group) => (typeof group === 'string' ? AREA_OF[group] : 'dashboard')));
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

/** Loads what the id in an address names, and returns its name. @throws CountersignError when it is not found */
export type NameOfId = (context: Context<StaffEnv>, id: string) => Promise<Child>;

interface OtherPages {
  readonly back: Link;
  /** Where to go when an action is done. Default: back. */
  readonly next?: (action: ActionEntry) => string;
  /** Actions of live mode only are left out of test mode. Default: `live`. */
  readonly mode?: ClientMode;
  /** Shows what the page is about, by the field whose id is in the address. An unknown id gets 404. */
  readonly names: Readonly<Record<string, NameOfId>>;
}

/** Mounts the pages of the other actions. */
export function mountOtherActions(
  routes: Hono<StaffEnv>,
  site: Site,
  area: AreaName,
  { back, next = () => `${back.path}?done=action`, names, mode = 'live' }: OtherPages,
): void {
  for (const { action, path, ids } of otherActions(site, area)) {
    if (mode === 'test' && action.liveOnly) continue;
    const lookups = ids.flatMap((id) => (names[id] === undefined ? [] : [{ id, nameOfId: names[id] }]));
    mountPage(routes, {
      action,
      path,
      back,
      done: () => next(action),
      load: (context, params) =>
        Promise.all(lookups.map(({ id, nameOfId }) => nameOfId(context, params[id] ?? ''))),
      ...(lookups.length > 0 && { about: (found: Child[]) => found }),
    });
  }
}

/** Links to the pages of the other actions, except those whose address has ids. */
export function otherItems(site: Site, area: AreaName): readonly MenuItem[] {
  return keptActions(site, area).flatMap(({ action, label, path, ids }) =>
    ids.length === 0 ? [{ path: AREAS[area].path + path, label, action }] : [],
  );
}

/**
 * Links to the pages of the other actions that the user may run on what a page shows.
 * @param ids by the field that the page of an action takes from its address: `{ clientId }`
 */
export function otherLinks(context: Context<StaffEnv>, ids: Readonly<Record<string, string>>): readonly Link[] {
  const { name: area } = context.get('area');
  const { may } = context.get('as');
  return keptActions(context.get('site'), area)
    .filter((other) => other.ids.length > 0 && other.ids.every((id) => ids[id] !== undefined))
    .filter(({ action }) => may(action) !== 'no')
    .map(({ path, label }) => ({
      path: AREAS[area].path + path.replaceAll(/:(\w+)/g, (_, id: string) => encodeURIComponent(ids[id] ?? '')),
      label,
    }));
}
