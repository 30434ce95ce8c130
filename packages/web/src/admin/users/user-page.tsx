import {
  type As,
  getClient,
  getUser,
  isCountersignError,
  type ListedUser,
  listUsers,
  type User,
} from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { PageError } from '../../site/errors.tsx';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import { Moment } from '../../staff/moment.tsx';
import { Result } from '../../staff/result.tsx';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { UserState } from '../../staff/user-state.tsx';
import { answerAdminPage } from '../admin-page.tsx';
import { auditPathFor, clientPath, USERS_PATH, userPath } from '../paths.ts';

const DONE = ['role', 'second_factor'] as const;

/** Shows one user, with links to what an operator may do. */
export function userPage(site: Site): Handler<StaffEnv, '/:userId'> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const user = await findUser(context, context.req.param('userId'));
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
        <h2>{t('admin:user.actions')}</h2>
        {isOwn(context, user) ? (
          <p class="notice">{t('admin:user.own')}</p>
        ) : (
          <ActionLinks userId={user.id} page={page} />
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
    // Accounts can be in another database, which keeps users of a client that is gone.
    if (isCountersignError(error, 'CLIENT_NOT_FOUND')) return null;
    throw error;
  }
}

const LINKS = [
  ['role', 'admin:user.changeRole'],
  ['invitation', 'admin:user.newLink'],
  ['second-factor', 'admin:user.resetSecondFactor'],
  ['remove', 'admin:user.remove'],
] as const;

const ActionLinks: FC<{ userId: string; page: Page }> = ({ userId, page: { t, href } }) => (
  <ul class="acts">
    {LINKS.map(([action, label]) => (
      <li>
        <a href={href(userPath(userId, action))}>{t(label)}</a>
      </li>
    ))}
  </ul>
);

const UserFacts: FC<{ user: ListedUser; clientName: string | null; page: Page }> = (props) => {
  const { user, clientName, page } = props;
  const { t, href } = page;
  return (
    <dl class="facts">
      <div>
        <dt>{t('staff:user.email')}</dt>
        <dd class="as-typed">{user.email}</dd>
      </div>
      <div>
        <dt>{t('admin:user.id')}</dt>
        <dd>
          <code>{user.id}</code>
        </dd>
      </div>
      <div>
        <dt>{t('admin:users.role')}</dt>
        <dd>{roleInWords(user, t)}</dd>
      </div>
      {user.clientId === null ? null : (
        <div>
          <dt>{t('admin:users.client')}</dt>
          <dd>
            <a href={href(clientPath(user.clientId))} class="as-typed">
              {clientName ?? t('admin:users.clientGone')}
            </a>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('admin:users.state')}</dt>
        <dd>
          <UserState user={user} page={page} />
        </dd>
      </div>
      <div>
        <dt>{t('admin:users.secondFactor')}</dt>
        <dd>{t(user.hasSecondFactor ? 'site:yes' : 'site:no')}</dd>
      </div>
      <div>
        <dt>{t('admin:user.created')}</dt>
        <dd>
          <Moment at={user.createdAt} page={page} />
        </dd>
      </div>
    </dl>
  );
};

/** Finds a user, as lists show them. @throws CountersignError `USER_NOT_FOUND`, which is recorded */
export async function findUser(context: Context<StaffEnv>, userId: string): Promise<ListedUser> {
  const as = context.get('as');
  const { id, clientId } = await as.run(getUser, { userId });
  const listed = (await as.run(listUsers, { clientId: clientId ?? undefined })).find((each) => each.id === id);
  // The user was removed between the two reads.
  if (listed === undefined) throw new PageError(404);
  return listed;
}

/** Whether the user is the signed-in operator. */
export function isOwn(context: Context<StaffEnv>, { id }: Pick<ListedUser, 'id'>): boolean {
  return id === context.get('user').id;
}

/** Names a role: `Reviewer`, or `Client: Agent` for staff of a client. */
export function roleInWords({ role, teamRole }: Pick<User, 'role' | 'teamRole'>, t: Translate): string {
  const name = t(`actions:choices.role.${role}`);
  return teamRole === null ? name : `${name}: ${t(`actions:choices.teamRole.${teamRole}`)}`;
}
