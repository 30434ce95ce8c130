import type { Actor } from '@countersign/domain';
import type { ListedUser, SignIn } from '@countersign/domain/staff';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { StateBadge } from '../parts/badge.tsx';
import type { Column } from '../parts/table.tsx';
import type { Translate } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import type { StaffEnv } from './area.tsx';

/** Names of users by id. */
export interface Names {
  /** The user's name, or null if the account no longer exists. */
  find(userId: string | null): string | null;
  /** The user's name, or a text for an account that no longer exists. */
  of(userId: string | null): string;
  ofActor(actor: Actor): string;
}

/** Looks up the names of users. */
export async function namesOf(userIds: readonly (string | null)[], signIn: SignIn, t: Translate): Promise<Names> {
  const ids = [...new Set(userIds.filter((id) => id !== null))];
  const names = new Map(await Promise.all(ids.map(async (id) => [id, await signIn.nameOf(id)] as const)));
  const find = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  return {
    find,
    of: (id) => find(id) ?? t('wording:actor.unknown'),
    // An actor without an account, such as an API key, is named by its kind.
    ofActor: ({ kind, id }) => find(id) ?? t(`wording:actor.${kind}`),
  };
}

/** Names a user by name and e-mail address. */
export function nameAndEmail({ name, email }: Pick<ListedUser, 'name' | 'email'>): Child {
  return (
    <>
      <strong class="as-typed">
        <bdi>{name}</bdi>
      </strong>{' '}
      <span class="as-typed">
        <bdi>{email}</bdi>
      </span>
    </>
  );
}

/** Whether the user is the signed-in user. */
export function isOwn(context: Context<StaffEnv>, { id }: Pick<ListedUser, 'id'>): boolean {
  return id === context.get('user').id;
}

/** Columns of a list of users. @param pathOf the page of a user, if there is one */
export function userColumns(
  context: Context<StaffEnv>,
  roleOf: (user: ListedUser) => Child,
  pathOf?: (userId: string) => string,
): readonly [
  name: Column<ListedUser>,
  email: Column<ListedUser>,
  role: Column<ListedUser>,
  state: Column<ListedUser>,
] {
  const page = context.get('page');
  const { t, href } = page;
  return [
    {
      title: t('staff:user.user'),
      isRowHeader: true,
      class: 'clip share',
      cell: (user) => (
        <>
          {pathOf === undefined ? (
            <span class="as-typed">
              <bdi>{user.name}</bdi>
            </span>
          ) : (
            <a href={href(pathOf(user.id))} class="row-link as-typed">
              <bdi>{user.name}</bdi>
            </a>
          )}{' '}
          {isOwn(context, user) ? <span class="quiet">{t('staff:user.you')}</span> : null}
        </>
      ),
    },
    {
      title: t('staff:user.email'),
      isClear: true,
      class: 'clip share',
      cell: ({ email }) => (
        <span class="as-typed" title={email}>
          <bdi>{email}</bdi>
        </span>
      ),
    },
    { title: t('staff:user.role'), isClear: true, class: 'short', cell: roleOf },
    { title: t('staff:user.state'), class: 'status', cell: (user) => <UserState user={user} page={page} /> },
  ];
}

/** Whether users have a second factor. */
export function secondFactorColumn({ t }: Page): Column<ListedUser> {
  return {
    title: t('staff:user.secondFactor'),
    hiddenOn: 'narrow',
    cell: ({ hasSecondFactor }) => t(hasSecondFactor ? 'site:yes' : 'site:no'),
  };
}

/** Names a role in a team. */
export function teamRoleInWords({ teamRole }: Pick<ListedUser, 'teamRole'>, t: Translate): string | null {
  return teamRole === null ? null : t(`actions:choices.teamRole.${teamRole}`);
}

/** Shows whether a user has joined, or has a one-time link that works. */
export const UserState: FC<{ user: ListedUser; page: Page }> = ({ user: { hasJoined, invitedUntil }, page }) => (
  <StateBadge
    of={hasJoined ? 'user.joined' : invitedUntil === null ? 'user.linkOver' : 'user.invited'}
    page={page}
  />
);
