import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import { NEW_KEY_PATH, NEW_VERIFICATION_PATH } from '../paths.ts';

/** What to do first: a key, then a verification. `hasKey` is null for whoever has nothing to do with keys. */
export const FirstSteps: FC<{
  page: Page;
  hasKey: boolean | null;
  hasVerification: boolean;
  mayCreate: boolean;
}> = ({ page: { t, href }, hasKey, hasVerification, mayCreate }) => (
  <section class="notice" aria-labelledby="first-title">
    <h2 id="first-title">{t('dashboard:home.firstTitle')}</h2>
    <ol class="first-steps">
      {hasKey === null ? null : (
        <li>
          {hasKey ? (
            t('dashboard:home.keyDone')
          ) : (
            <>
              <a href={href(NEW_KEY_PATH)}>{t('dashboard:home.firstKey')}</a> {t('dashboard:home.firstKeyText')}
            </>
          )}
        </li>
      )}
      {hasVerification ? null : (
        <li>
          {t('dashboard:home.firstVerification')}{' '}
          {mayCreate ? <a href={href(NEW_VERIFICATION_PATH)}>{t('dashboard:home.byHand')}</a> : null}
        </li>
      )}
      <li>
        <a href={href('/docs')}>{t('dashboard:home.reference')}</a>
      </li>
    </ol>
  </section>
);
