import type { User } from '@countersign/domain';
import type { Context } from 'hono';
import { homeOf } from '../account/home-of.ts';
import { SignOutForm } from '../account/sign-out-form.tsx';
import { answerPage } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import type { StaffEnv } from './staff-env.ts';

/** Says that something is not for whoever asked, and where they may go. */
export function answerForbidden(
  context: Context<StaffEnv>,
  { options: { signIn } }: Site,
  user: User,
  says: { readonly title: MessageKey; readonly text: MessageKey },
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const title = t(says.title);
  return answerPage(
    context,
    { title, status: 403 },
    <>
      <h1>{title}</h1>
      <p>{t(says.text, { name: user.name })}</p>
      <p>
        <a href={href(homeOf(user))}>{t('staff:forbidden.home')}</a>
      </p>
      <SignOutForm page={page} path={signIn.signOutPath} />
    </>,
  );
}
