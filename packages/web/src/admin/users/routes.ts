import { Hono } from 'hono';
import type { Site } from '../../site/site.ts';
import { confirmFirst } from '../../staff/confirmed.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { changeRole } from './change-role.tsx';
import { newLink } from './new-link.tsx';
import { createUser, newUserPage } from './new-user.tsx';
import { removeUser } from './remove-user.tsx';
import { resetSecondFactor } from './reset-second-factor.tsx';
import { mountUserAct } from './user-act.tsx';
import { userPage } from './user-page.tsx';
import { usersPage } from './users-page.tsx';

/** Everybody who signs in. */
export function userRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.get('/', usersPage(site));
  routes.get('/new', confirmFirst(site), newUserPage(site));
  routes.post('/new', createUser(site));
  routes.get('/:id', userPage(site));
  for (const act of [changeRole, newLink, resetSecondFactor, removeUser]) mountUserAct(routes, site, act);
  return routes;
}
