import { type As, getClient, isCountersignError } from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerAdminPage } from '../admin-page.tsx';
import { auditPathFor, USERS_PATH, userPath } from '../paths.ts';
import { isOwn, userOf } from './members.ts';
import { UserFacts } from './user-facts.tsx';

const DONE = ['role', 'second_factor'] as const;

/** One user, and what can be done. */
export function userPage(site: Site): Handler<StaffEnv, '/:id'> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const user = await userOf(context, context.req.param('id'));
    const clientName = await clientNameOf(context.get('as'), user.clientId);
    const done = DONE.find((name) => name === context.req.query('done'));
    return answerAdminPage(
      context,
      site,
      { title: user.name },
      <>
        {done === undefined ? null : <Result text={t(`admin:user.done.${done}`)} />}
        <h1 class="as-typed">{user.name}</h1>
        <UserFacts user={user} clientName={clientName} page={page} />
        <h2>{t('admin:user.acts')}</h2>
        {isOwn(context, user) ? (
          <p class="notice">{t('admin:user.own')}</p>
        ) : (
          <Acts userId={user.id} page={page} />
        )}
        <p>
          <a href={href(auditPathFor({ actor: user.id }))}>{t('admin:user.toAudit')}</a>
        </p>
        <p>
          <a href={href(USERS_PATH)}>{t('admin:users.back')}</a>
        </p>
      </>,
    );
  };
}

async function clientNameOf(as: As, clientId: string | null): Promise<string | null> {
  if (clientId === null) return null;
  try {
    return (await as.run(getClient, { clientId })).client.name;
  } catch (error) {
    // Accounts may be kept in another database, from which a client is not removed with its own.
    if (isCountersignError(error, 'CLIENT_NOT_FOUND')) return null;
    throw error;
  }
}

const ACTS = [
  ['role', 'admin:user.changeRole'],
  ['invitation', 'admin:user.newLink'],
  ['second-factor', 'admin:user.resetSecondFactor'],
  ['remove', 'admin:user.remove'],
] as const;

const Acts: FC<{ userId: string; page: Page }> = ({ userId, page: { t, href } }) => (
  <ul class="acts">
    {ACTS.map(([act, label]) => (
      <li>
        <a href={href(userPath(userId, act))}>{t(label)}</a>
      </li>
    ))}
  </ul>
);
