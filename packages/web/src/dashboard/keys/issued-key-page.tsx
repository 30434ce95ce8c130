import type { ApiKey } from '@countersign/domain';
import type { Context } from 'hono';
import type { Site } from '../../site/site.ts';
import { CopyField } from '../../staff/copy-field.tsx';
import { ShownOnce, shownOnceParts } from '../../staff/shown-once.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { Moment } from '../../wording/moment.tsx';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { KEYS_PATH, keyPath } from '../paths.ts';
import { curlLine } from './curl-line.ts';
import { calledBy } from './key-words.ts';

/** Shows a new key, the one time that it can be shown. `replaces` is the key whose place it takes. */
export function answerIssuedKey(
  context: Context<StaffEnv>,
  site: Site,
  { key, value, replaces }: { readonly key: ApiKey; readonly value: string; readonly replaces?: ApiKey },
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const title = t('dashboard:issued.title');
  const curl = curlLine(site.options.publicBaseUrl, value, key.permissions);
  return answerDashboardPage(
    context,
    site,
    shownOnceParts(title),
    <>
      <h1>{title}</h1>
      <ShownOnce
        page={page}
        title={t('dashboard:issued.onceTitle')}
        text={t('dashboard:issued.onceText')}
        instead={KEYS_PATH}
      />
      <CopyField
        page={page}
        id="new-key"
        label={t('dashboard:issued.value', { name: calledBy(key) })}
        value={value}
      />
      <p>
        {key.expiresAt === null ? (
          t('dashboard:issued.neverExpires')
        ) : (
          <>
            {t('dashboard:issued.expires')} <Moment at={key.expiresAt} page={page} />
          </>
        )}
      </p>
      <h2>{t('dashboard:issued.tryTitle')}</h2>
      {curl.counts ? <p>{t('dashboard:issued.tryCounts')}</p> : null}
      <pre>
        <code>{curl.line}</code>
      </pre>
      {replaces === undefined ? null : (
        <>
          <h2>{t('dashboard:issued.nextTitle')}</h2>
          <p>{t('dashboard:issued.nextText', { key: replaces.display })}</p>
          <p>
            <a class="action" href={href(keyPath(replaces.id, 'revoke'))}>
              {t('dashboard:issued.revokeOld', { key: replaces.display })}
            </a>
          </p>
        </>
      )}
      <p>
        <a href={href(KEYS_PATH)}>{t('dashboard:keys.back')}</a>
      </p>
    </>,
  );
}
