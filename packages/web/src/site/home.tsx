import type { Handler } from 'hono';
import { answerPage } from './layout.tsx';
import type { Site } from './site.ts';
import type { WebEnv } from './web-env.ts';

/** What people see who open the service's own address: where to go, for each who may have come here. */
export function home({ options: { signIn } }: Site): Handler<WebEnv> {
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
