import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** @param props.path where it is posted to: `SignIn.signOutPath` */
export const SignOutForm: FC<{ page: Page; path: string }> = ({ page: { t, href }, path }) => (
  <form method="post" action={href(path)}>
    <button type="submit" class="secondary">
      {t('account:signOut.submit')}
    </button>
  </form>
);
