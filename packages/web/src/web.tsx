import { APPEARANCES_PATH } from '@countersign/domain/clients';
import { type Handler, Hono, type MiddlewareHandler } from 'hono';
import { setCookie } from 'hono/cookie';
import { accountRoutes } from './account/routes.ts';
import { adminArea, adminRoutes } from './admin/routes.ts';
import { dashboardArea, dashboardRoutes } from './dashboard/routes.tsx';
import { DESIGN_PATH } from './design/paths.ts';
import { designRoutes } from './design/routes.tsx';
import { docsRoutes } from './docs/routes.tsx';
import { exportRoutes } from './exports/download-page.tsx';
import { readForm } from './forms/form-values.ts';
import { Notice } from './parts/blocks.tsx';
import { errorPages, notFoundPage } from './parts/error-page.tsx';
import { reviewArea, reviewRoutes } from './review/routes.tsx';
import { appearanceRoutes } from './site/appearance-routes.ts';
import { loadAssets } from './site/assets.ts';
import { compressPages } from './site/compression.ts';
import { PageError } from './site/errors.ts';
import { knownLanguage, LANGUAGE_COOKIE } from './site/language.ts';
import { answerPage } from './site/layout.tsx';

import { pagesOf, type WebEnv } from './site/page.ts';
import { DOCS_PATH, isOwnPath, loggedRequest } from './site/paths.ts';
import { pageHeaders, sameOrigin } from './site/security.ts';
import { createSite, type Site, type WebOptions } from './site/site.ts';
import { recordForgedOrigin } from './staff/gate.ts';
import { TEST_DASHBOARD_PATH } from './staff/mode.ts';

import { verifyRoutes } from './verify/routes.ts';

/** Paths of the pages. All other paths belong to the app that these pages are mounted in. */
const PUBLIC_AREAS = ['/', '/verify/*', '/export/*', '/language', `${APPEARANCES_PATH}/*`];
/** Areas of users who sign in. A forged origin is recorded there. */
const STAFF_AREAS = ['/account/*', '/review/*', '/dashboard/*', '/admin/*'];

/**
 * The pages of Countersign: the hosted verification flow under `/verify`, the reviewer console under `/review`,
 * the dashboard of clients under `/dashboard` and in test mode under `/dashboard/test`, the operator's pages under `/admin`, with `accounts` sign-in under `/account`,
 * and with `apiDocument` the documentation for developers under `/docs`. The result can be mounted in any Hono app. Every address on the pages begins with the path of
 * `publicBaseUrl`, wherever it is mounted.
 *
 * @example
 * const web = createWeb({ countersign, signIn, secrets, clock, publicBaseUrl, clientAddress, onFault });
 * app.route('/', web);
 */
export function createWeb(options: WebOptions): Hono {
  const assets = loadAssets();
  const site = createSite(options, assets);
  const app = new Hono<WebEnv>();
  const areas = [
    ...PUBLIC_AREAS,
    ...STAFF_AREAS,
    ...(options.apiDocument === undefined ? [] : [`${DOCS_PATH}/*`]),
    ...(options.designPages === true ? [`${DESIGN_PATH}/*`] : []),
  ];
  app.route('/assets', assets.routes);
  for (const area of areas) {
    const onForgedOrigin = STAFF_AREAS.includes(area) ? recordForgedOrigin : undefined;
    app.use(area, ...everyPage(site), sameOrigin(site, onForgedOrigin));
  }
  app.get('/', home(site));
  app.post('/language', languageRoute(site));
  app.route('/verify', verifyRoutes(site));
  if (site.parts.has('exports')) app.route('/export', exportRoutes(site));
  if (options.designPages === true) app.route('/', designRoutes(site));
  app.route(APPEARANCES_PATH, appearanceRoutes(site));
  app.route('/review', reviewRoutes(site));
  app.route(TEST_DASHBOARD_PATH, dashboardRoutes(site, 'test'));
  app.route('/dashboard', dashboardRoutes(site, 'live'));
  app.route('/admin', adminRoutes(site));
  const staffAreas = { admin: adminArea(site), dashboard: dashboardArea(site, 'live'), review: reviewArea(site) };
  if (options.accounts !== undefined) {
    app.route('/account', accountRoutes(site, options.accounts, staffAreas));
  }
  if (options.apiDocument !== undefined) app.route('/', docsRoutes(site, options.apiDocument));
  // Not as `notFound`: Hono ignores that in an app that is mounted in another.
  for (const area of areas) app.all(area, notFoundPage);
  if (options.answersUnknownPaths === true) {
    // Reached only by paths that no area has answered.
    app.use('*', ...everyPage(site));
    app.all('*', notFoundPage);
  }
  app.onError(errorPages(site));
  // Hides the type of the pages' context from the app this is mounted in.
  return new Hono().route('/', app);
}

/** What happens to every page, its errors included. */
function everyPage(site: Site): MiddlewareHandler<WebEnv>[] {
  return [pagesOf(site), accessLog(site), compressPages, pageHeaders(site)];
}

/** Reports each response with the template of its route: an address may hold a token. */
function accessLog({ options: { onResponse } }: Site): MiddlewareHandler<WebEnv> {
  return async (context, next) => {
    const startedAt = performance.now();
    await next();
    onResponse?.({
      requestId: context.get('page').requestId,
      ...loggedRequest(context),
      status: context.res.status,
      durationMs: performance.now() - startedAt,
    });
  };
}

/** Shows subjects, staff and developers where to go. */
function home({ options: { signIn, apiDocument } }: Site): Handler<WebEnv> {
  return (context) => {
    const { t, href } = context.get('page');
    return answerPage(
      context,
      { title: t('site:home.title') },
      <>
        <h1>{t('site:home.title')}</h1>
        <p class="lead">{t('site:home.text')}</p>
        <Notice>{t('site:home.link')}</Notice>
        <div class="buttons">
          <a href={href(signIn.signInPath)} class="button">
            {t('site:home.signIn')}
          </a>
          {apiDocument === undefined ? null : (
            <a href={href(DOCS_PATH)} class="button secondary">
              {t('site:home.reference')}
            </a>
          )}
        </div>
      </>,
    );
  };
}

const A_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Switches the language of all pages and returns to the page that asked for it. */
function languageRoute({ basePath, secure }: Site): Handler<WebEnv> {
  return async (context) => {
    const form = await readForm(context);
    const language = knownLanguage(form.text('language'));
    if (language === null) throw new PageError(400);
    setCookie(context, LANGUAGE_COOKIE, language, {
      path: `${basePath}/`,
      maxAge: A_YEAR_SECONDS,
      httpOnly: true,
      sameSite: 'Lax',
      secure,
    });
    const returnTo = form.text('returnTo');
    return context.redirect(context.get('page').href(isOwnPath(returnTo) ? returnTo : '/'), 303);
  };
}
