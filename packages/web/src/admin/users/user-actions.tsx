import {
  changeUserRole,
  createUser,
  disconnectProviders,
  inviteUser,
  removeUser,
  resetSecondFactor,
} from '@countersign/domain/actions';
import {
  belongsToClient,
  type IssuedLink,
  type ListedUser,
  type NewUser,
  SERVICE_ROLES,
  type SecondFactorReset,
  STAFF_ROLES,
  type StaffRole,
  type TeamRole,
  type User,
} from '@countersign/domain/staff';
import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type ActionPage, actionPages } from '../../actions/action-page.tsx';
import { Field, type FieldProps } from '../../forms/draw-field.tsx';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { type ClientChoice, ClientField, clientChoice } from '../../staff/client-choice.tsx';
import { listPage } from '../../staff/list-page.tsx';
import { answerOneTimeLink } from '../../staff/shown-once.tsx';
import { isOwn, nameAndEmail } from '../../staff/users.tsx';
import { USERS_PATH, userPath } from '../paths.ts';
import { userList } from './user-list.tsx';
import { findUser, userPage } from './user-page.tsx';

/** The pages of users: lists, details and what an operator does with them. */
export function userRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  const mount = actionPages(routes, site);
  routes.get('/', listPage(userList));
  mount(create);
  routes.get('/:userId', userPage);
  mount(changeRole);
  mount(invite);
  mount(reset);
  mount(disconnect);
  mount(remove);
  return routes;
}

/** With `?client=` the form begins as that client's first owner. */
const create: ActionPage<NewUser, IssuedLink, ClientChoice> = {
  action: createUser,
  path: '/new',
  back: { path: USERS_PATH, label: 'admin:nav.users' },
  load: clientChoice,
  initial: (_, context) => {
    const clientId = context.req.query('client');
    return clientId === undefined ? {} : { role: 'client', clientId, teamRole: 'owner' };
  },
  // The form has no default for the role in the team, the domain has.
  async complete(typed, _values, choice) {
    const { role, clientId } = typed;
    const known = typeof clientId === 'string' ? { clientId: await (await choice()).idOf(clientId) } : {};
    return { ...(isInTeam(role) && { teamRole: '' }), ...typed, ...known };
  },
  controls: {
    clientId: ({ subject, form, texts, name }) => (
      <ClientField
        form={form}
        name={name}
        label={texts.label(name)}
        hint={texts.hint(name)}
        choice={subject}
        optional
      />
    ),
  },
  fieldOf: { USER_EXISTS: 'email', CLIENT_NOT_FOUND: 'clientId' },
  mailed: (_, { t }) => t('staff:link.mailedNew'),
  done: showLink,
};

interface OnUser {
  readonly userId: string;
}

function isInTeam(role: unknown): boolean {
  return STAFF_ROLES.some((known) => known === role && belongsToClient(known));
}

/** What the pages about one user share. Operators cannot change their own accounts. */
const aboutUser: Pick<ActionPage<OnUser, unknown, ListedUser>, 'back' | 'load' | 'about' | 'closed'> = {
  back: ({ id }) => ({ path: userPath(id), label: 'admin:user.back' }),
  load: (context, { userId = '' }) => findUser(context, userId),
  about: nameAndEmail,
  closed: (user, context) => (isOwn(context, user) ? context.get('page').t('admin:user.own') : null),
};

type RoleInput = OnUser & { readonly role: StaffRole; readonly teamRole?: TeamRole | undefined };

/** Staff of a client choose among the roles of its team, others among the roles of the service. */
const changeRole: ActionPage<RoleInput, void, ListedUser> = {
  ...aboutUser,
  action: changeUserRole,
  path: '/:userId/role',
  intro: (user, { t }) => (belongsToClient(user.role) ? <p>{t('admin:user.lastOwner')}</p> : null),
  initial: ({ role, teamRole }) => ({ role, teamRole }),
  shows: ({ role }) => (belongsToClient(role) ? ['teamRole'] : ['role']),
  async complete(typed, _values, user) {
    const { role } = await user();
    return belongsToClient(role) ? { teamRole: '', ...typed, role } : typed;
  },
  controls: {
    role: (props) => <Field {...props} field={{ kind: 'choice', of: SERVICE_ROLES }} />,
    teamRole: RequiredField,
  },
  done: (_, context) => `${userPath(context.req.param('userId') ?? '')}?done=role`,
};

const invite: ActionPage<OnUser, IssuedLink, ListedUser> = {
  ...aboutUser,
  action: inviteUser,
  path: '/:userId/invitation',
  intro: ({ hasJoined }, { t }) => <p>{t(hasJoined ? 'admin:user.newPassword' : 'admin:user.oldLinkEnds')}</p>,
  mailed: ({ hasJoined }, { t }) => t(hasJoined ? 'admin:user.newPasswordMailed' : 'staff:link.mailedAgain'),
  done: showLink,
};

const reset: ActionPage<OnUser, SecondFactorReset, ListedUser> = {
  ...aboutUser,
  action: resetSecondFactor,
  path: '/:userId/second-factor',
  intro: ({ hasSecondFactor }, { t }) => (
    <p>{t(hasSecondFactor ? 'admin:user.lostFactor' : 'admin:user.noFactor')}</p>
  ),
  isDangerous: true,
  mailed: ({ hasSecondFactor }, { t }) =>
    t(hasSecondFactor ? 'admin:user.lostFactorMailed' : 'admin:user.noFactorMailed'),
  done: ({ user, isMailed }) => `${userPath(user.id)}?done=${isMailed ? 'factor_mailed' : 'second_factor'}`,
};

const disconnect: ActionPage<OnUser, User, ListedUser> = {
  ...aboutUser,
  action: disconnectProviders,
  path: '/:userId/identities',
  intro: (_, { t }) => <p>{t('admin:user.disconnectHint')}</p>,
  isDangerous: true,
  done: ({ id }) => `${userPath(id)}?done=disconnected`,
};

const remove: ActionPage<OnUser & { readonly email: string }, User, ListedUser> = {
  ...aboutUser,
  action: removeUser,
  path: '/:userId/remove',
  isDangerous: true,
  done: () => `${USERS_PATH}?done=removed`,
};

/** Draws a field that the action takes as optional, but this form requires. */
function RequiredField({ subject: _, ...props }: FieldProps & { subject: ListedUser }): Child {
  const { optional: _optional, ...field } = props.field;
  return <Field {...props} field={field} />;
}

function showLink(link: IssuedLink, context: Context<StaffEnv>): Response | Promise<Response> {
  const path = userPath(link.user.id);
  const back = { path, label: 'admin:user.back' } as const;
  return answerOneTimeLink(context, link, { back, mailed: `${path}?done=mailed` });
}
