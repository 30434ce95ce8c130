import type { User } from '@countersign/domain';
import type { Context } from 'hono';
import { answerPage } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { homeOf } from './areas.ts';
import type { StaffEnv } from './staff-env.ts';
import { SignOutForm } from './staff-navigation.tsx';

/** Answers 403: says that the user's role does not allow it, and links to the user's own area. */
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
