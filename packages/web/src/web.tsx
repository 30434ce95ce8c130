import { type Handler, Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import { accountRoutes } from './account/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { readForm } from './forms/form-body.ts';
import { reviewRoutes } from './review/routes.ts';
import { loadAssets } from './site/assets.ts';
import { isOwnPath } from './site/base-path.ts';
import { errorPages, notFoundPage } from './site/error-pages.tsx';
import { knownLanguage, LANGUAGE_COOKIE } from './site/language.ts';
import { answerPage } from './site/layout.tsx';
import { pagesOf } from './site/make-page.ts';
import { PageError } from './site/page-error.ts';
import { sameOrigin } from './site/same-origin.ts';
import { pageHeaders } from './site/security-headers.ts';
import { createSite, type Site } from './site/site.ts';
import { told } from './site/told.ts';
import type { WebEnv } from './site/web-env.ts';
import type { WebOptions } from './site/web-options.ts';
import { noteForgedOrigin } from './staff/note-refusal.ts';
import { verifyRoutes } from './verify/routes.ts';

/** What is answered here. Whatever else the app it is mounted in serves is left alone, whichever comes first. */
const PUBLIC_AREAS = ['/', '/verify/*', '/language'];
/** Areas of people who sign in, where also what is refused before anybody is asked who they are is recorded. */
const STAFF_AREAS = ['/account/*', '/review/*', '/dashboard/*', '/admin/*'];
const AREAS = [...PUBLIC_AREAS, ...STAFF_AREAS];

/**
 * The pages of Countersign: the hosted verification flow under `/verify`, the reviewer console under `/review`,
 * the dashboard of clients under `/dashboard`, the operator's pages under `/admin` and, with `accounts`, sign-in under
 * `/account`. The result can be mounted in any Hono app. Every address on the pages begins with the path of
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
  app.route('/assets', assets.routes);
  for (const area of AREAS) {
    const onForgedOrigin = STAFF_AREAS.includes(area) ? noteForgedOrigin : undefined;
    app.use(area, pagesOf(site), told(site), pageHeaders(site), sameOrigin(site, onForgedOrigin));
  }
  app.get('/', home(site));
  app.post('/language', languageRoute(site));
  app.route('/verify', verifyRoutes(site));
  app.route('/review', reviewRoutes(site));
  app.route('/dashboard', dashboardRoutes(site));
  app.route('/admin', adminRoutes(site));
  if (options.accounts !== undefined) app.route('/account', accountRoutes(site, options.accounts));
  // Here and not as `notFound`, which counts for nothing in an app that is mounted in another.
  for (const area of AREAS) app.all(area, notFoundPage);
  app.onError(errorPages(site));
  // What pages keep in a request's context is no affair of the app this is mounted in.
  return new Hono().route('/', app);
}

/** Shows where to go on the service's own address: subjects, staff and developers. */
function home({ options: { signIn } }: Site): Handler<WebEnv> {
  return (context) => {
    const { t, href } = context.get('page');
    return answerPage(
      context,
      { title: t('site:home.title') },
      <>
        <h1>{t('site:home.title')}</h1>
        <p>{t('site:home.text')}</p>
        <p>{t('site:home.link')}</p>
        <p>
          <a href={href(signIn.signInPath)}>{t('site:home.signIn')}</a>
        </p>
        <p>
          <a href={href('/docs')}>{t('site:home.reference')}</a>
        </p>
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
