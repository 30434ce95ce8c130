import { type As, isCountersignError } from '@countersign/domain';
import { getClient, getUser, searchUsers } from '@countersign/domain/actions';
import type { ListedUser, User } from '@countersign/domain/staff';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { otherLinks } from '../../actions/other-actions.ts';
import { Facts, LinkTo, Moment, Result } from '../../parts/page-parts.tsx';
import { PageError } from '../../site/errors.ts';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { isOwn, teamRoleInWords, UserState } from '../../staff/users.tsx';
import { auditPathFor, clientPath, USERS_PATH, userPath } from '../paths.ts';

/** Shows one user, with links to what an operator may do. */
export const userPage: Handler<StaffEnv, '/:userId'> = async (context) => {
  const page = context.get('page');
  const { t } = page;
  const user = await findUser(context, context.req.param('userId'));
  const clientName = await clientNameOf(context.get('as'), user.clientId);
  return answerStaffPage(
    context,
    { title: user.name },
    <>
      <Result context={context} texts="admin:user.done" />
      <h1 class="as-typed">
        <bdi>{user.name}</bdi>
      </h1>
      <UserFacts user={user} clientName={clientName} page={page} />
      <h2>{t('admin:user.actions')}</h2>
      {isOwn(context, user) ? (
        <p class="notice">{t('admin:user.own')}</p>
      ) : (
        <ActionLinks userId={user.id} page={page} />
      )}
      {otherLinks(context, { userId: user.id }).map((link) => (
        <LinkTo {...link} page={page} />
      ))}
      <LinkTo path={auditPathFor({ actor: user.id })} label="admin:user.toAudit" page={page} />
      <LinkTo path={USERS_PATH} label="admin:users.back" page={page} />
    </>,
  );
};

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
  ['identities', 'admin:user.disconnect'],
  ['remove', 'admin:user.remove'],
] as const;

const ActionLinks: FC<{ userId: string; page: Page }> = ({ userId, page: { t, href } }) => (
  <ul class="actions">
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
  const client =
    user.clientId === null ? null : (
      <a href={href(clientPath(user.clientId))} class="as-typed">
        <bdi>{clientName ?? t('admin:users.clientGone')}</bdi>
      </a>
    );
  return (
    <Facts
      items={[
        [
          t('staff:user.email'),
          <span class="as-typed">
            <bdi>{user.email}</bdi>
          </span>,
        ],
        [t('admin:user.id'), <code>{user.id}</code>],
        [t('staff:user.role'), roleInWords(user, t)],
        client === null ? null : [t('admin:users.client'), client],
        [t('staff:user.state'), <UserState user={user} page={page} />],
        [t('staff:user.secondFactor'), t(user.hasSecondFactor ? 'site:yes' : 'site:no')],
        [t('admin:user.created'), <Moment at={user.createdAt} page={page} />],
      ]}
    />
  );
};

/** Finds a user, as lists show them. @throws CountersignError `USER_NOT_FOUND`, which is recorded */
export async function findUser(context: Context<StaffEnv>, userId: string): Promise<ListedUser> {
  const as = context.get('as');
  const { id, email } = await as.run(getUser, { userId });
  const listed = (await as.run(searchUsers, { email })).users.find((each) => each.id === id);
  // The user was removed between the two reads.
  if (listed === undefined) throw new PageError(404);
  return listed;
}

/** Names a role: `Reviewer`, or `Client: Agent` for staff of a client. */
export function roleInWords(user: Pick<User, 'role' | 'teamRole'>, t: Translate): string {
  const name = t(`actions:choices.role.${user.role}`);
  const teamRole = teamRoleInWords(user, t);
  return teamRole === null ? name : `${name}: ${teamRole}`;
}
