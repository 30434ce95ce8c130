import { listApiKeys } from '@countersign/domain';
import type { Handler } from 'hono';
import { namesOf } from '../../review/names.ts';
import type { Site } from '../../site/site.ts';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { NEW_KEY_PATH } from '../paths.ts';
import { KeyTable } from './key-table.tsx';

/** All keys, the newest first. */
export function keysPage(site: Site): Handler<StaffEnv> {
  const { signIn, clock } = site.options;
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const { keys, active, limit } = await context.get('as').run(listApiKeys, {});
    const creators = keys.map(({ createdBy }) => createdBy);
    const names = await namesOf(creators, signIn, t);
    return answerDashboardPage(
      context,
      site,
      { title: t('dashboard:keys.title') },
      <>
        {context.req.query('done') === 'revoked' ? <Result text={t('dashboard:keys.revoked')} /> : null}
        <h1>{t('dashboard:keys.title')}</h1>
        <div class="list-head">
          <p>{t('dashboard:keys.active', { active, limit })}</p>
          <a class="action" href={href(NEW_KEY_PATH)}>
            {t('dashboard:keys.create')}
          </a>
        </div>
        {keys.length === 0 ? (
          <div class="empty">
            <p>{t('dashboard:keys.empty')}</p>
          </div>
        ) : (
          <KeyTable keys={keys} page={page} names={names} now={clock.now()} />
        )}
      </>,
    );
  };
}
