import type { ClientMode } from '@countersign/domain/clients';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';

const LIVE = '/dashboard';
/** Where the dashboard in test mode begins. It has the pages of the dashboard below its own path, so two tabs never mix modes. */
export const TEST_DASHBOARD_PATH = '/dashboard/test';

/** Returns the path of a page of the dashboard in a mode, from its path in either. Other paths stay the same. */
function pathInMode(path: string, mode: ClientMode): string {
  const live = livePathOf(path);
  return mode === 'test' && isBelow(live, LIVE) ? TEST_DASHBOARD_PATH + live.slice(LIVE.length) : live;
}

function livePathOf(path: string): string {
  return isBelow(path, TEST_DASHBOARD_PATH) ? LIVE + path.slice(TEST_DASHBOARD_PATH.length) : path;
}

/** Whether a path, with or without a query, is a path or below it. */
function isBelow(path: string, start: string): boolean {
  return path.startsWith(start) && /^(?:$|[/?#])/.test(path.slice(start.length));
}

/**
 * Returns the page as its dashboard draws it: pages write the paths of live mode, and `href` returns the addresses of the mode that
 * they are in.
 */
export function pageInMode(page: Page, mode: ClientMode): Page {
  if (mode === 'live') return page;
  return {
    ...page,
    path: livePathOf(page.path),
    href: (path) => page.href(pathInMode(path, mode)),
  };
}

/** Returns the address of a page of the dashboard in a mode, whichever mode the current page is in. */
export function hrefInMode({ basePath }: Pick<Site, 'basePath'>, mode: ClientMode, path: string): string {
  return basePath + pathInMode(path, mode);
}
