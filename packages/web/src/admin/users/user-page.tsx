import { type As, isCountersignError } from '@countersign/domain';
import { getClient, getUser, listAudit, nameClients, searchUsers } from '@countersign/domain/actions';
import type { ListedUser, User } from '@countersign/domain/staff';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { DangerZone } from '../../actions/danger-zone.tsx';
import { otherLinks } from '../../actions/other-actions.ts';
import { StateBadge } from '../../parts/badge.tsx';
import { Card, Notice, TwoColumns } from '../../parts/blocks.tsx';
import { COPY_SCRIPT, CopyId } from '../../parts/copy.tsx';
import { ButtonTo, Facts, Moment, Result } from '../../parts/page-parts.tsx';
import { PageError } from '../../site/errors.ts';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { isOwn, teamRoleInWords, UserState } from '../../staff/users.tsx';
import { RecentActivity } from '../audit/recent-activity.tsx';
import { auditPathFor, clientPath, USERS_PATH, userPath } from '../paths.ts';
import { ON_USER } from './on-user.ts';

/** Audit entries on the page of a user. A link leads to the others. */
const RECENT = 10;

/** Shows one user, what they did last, and what an operator may do with the account. */
export const userPage: Handler<StaffEnv, '/:userId'> = async (context) => {
  const page = context.get('page');
  const { t } = page;
  const { run } = context.get('as');
  const user = await findUser(context, context.req.param('userId'));
  const [clientName, { entries }] = await Promise.all([
    clientNameOf(context.get('as'), user.clientId),
    run(listAudit, { actorId: user.id }),
  ]);
  const recent = entries.slice(0, RECENT);
  const clientIds = recent.flatMap(({ clientId }) => clientId ?? []);
  const others = isOwn(context, user) ? [] : ON_USER;
  return answerStaffPage(
    context,
    { title: user.name, back: { path: USERS_PATH, label: 'admin:nav.users' }, scripts: [COPY_SCRIPT] },
    <>
      <Result context={context} texts="admin:user.done" />
      <h1 class="as-typed">
        <bdi>{user.name}</bdi>
      </h1>
      <TwoColumns
        aside={
          <Card id="details" title={t('admin:user.details')} more={<UserState user={user} page={page} />}>
            <UserFacts user={user} clientName={clientName} page={page} />
            <div class="stack">
              {others
                .filter(({ isDangerous }) => !isDangerous)
                .map(({ name, label }) => (
                  <ButtonTo path={userPath(user.id, name)} label={label} page={page} />
                ))}
              {otherLinks(context, { userId: user.id }).map((link) => (
                <ButtonTo {...link} page={page} />
              ))}
            </div>
          </Card>
        }
      >
        {others.length === 0 ? <Notice>{t('admin:user.own')}</Notice> : null}
        <RecentActivity
          context={context}
          entries={recent}
          clientNames={await run(nameClients, { clientIds })}
          all={{ path: auditPathFor({ actor: user.id }), label: 'admin:user.toAudit' }}
          of="one user"
        />
        <DangerZone
          context={context}
          dangers={others.flatMap(({ name, isDangerous, ...danger }) =>
            isDangerous ? [{ ...danger, path: userPath(user.id, name) }] : [],
          )}
        />
      </TwoColumns>
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
        [t('staff:user.role'), roleInWords(user, t)],
        client === null ? null : [t('admin:users.client'), client],
        [
          t('staff:user.secondFactor'),
          <StateBadge of={user.hasSecondFactor ? 'factor.on' : 'factor.off'} page={page} />,
        ],
        user.invitedUntil === null
          ? null
          : [t('staff:user.linkUntil'), <Moment at={user.invitedUntil} page={page} />],
        [t('admin:user.created'), <Moment at={user.createdAt} page={page} />],
        [t('admin:user.id'), <CopyId page={page} id="user-id" value={user.id} what={t('admin:user.id')} />],
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
