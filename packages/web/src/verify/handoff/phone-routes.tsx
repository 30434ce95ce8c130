import { type Context, Hono } from 'hono';
import { answerPage } from '../../site/layout.tsx';
import type { Site } from '../../site/site.ts';
import { BackLink } from '../flow-frame.tsx';
import { verifyPath } from '../navigation.ts';
import type { VerifyEnv } from '../verify-env.ts';
import { PhonePage } from '../handoff.tsx';
import { PhoneProgress } from './phone-progress.tsx';

/**
 * The desktop's page with the QR code, and the part of it that it asks for while the subject works on the phone. Both
 * change nothing. To be mounted below `/verify/:id`, behind the session.
 */
export function phoneRoutes({ options }: Site): Hono<VerifyEnv> {
  const { subject } = options.countersign;
  const routes = new Hono<VerifyEnv>();

  routes.get('/phone', async (context) => {
    if (isOver(context)) return context.redirect(start(context), 303);
    const { href, t } = context.get('page');
    const verification = context.get('verification');
    const path = href(verifyPath(verification, 'phone'));
    const link = await subject.linkOf(context.get('access'));
    return answerPage(
      context,
      { title: t('capture:phone.title'), scripts: ['htmx.js', 'handoff.js'], styles: ['capture.css'] },
      <>
        <BackLink page={context.get('page')} path={verifyPath(verification)} />
        <PhonePage
          page={context.get('page')}
          verification={verification}
          link={link}
          paths={{ page: path, progress: `${path}/progress`, goOn: start(context) }}
        />
      </>,
    );
  });

  routes.get('/phone/progress', (context) => {
    // htmx leaves the page for the address in this header.
    if (isOver(context)) return context.body(null, 200, { 'HX-Redirect': start(context) });
    return context.html(<PhoneProgress page={context.get('page')} verification={context.get('verification')} />);
  });

  return routes;
}

/** The flow's own first page, which leads to wherever the subject is. */
function start(context: Context<VerifyEnv>): string {
  return context.get('page').href(verifyPath(context.get('verification')));
}

/** Whether there is nothing left to do on the phone. */
function isOver(context: Context<VerifyEnv>): boolean {
  const { status } = context.get('verification');
  return status !== 'pending' && status !== 'action_needed';
}
