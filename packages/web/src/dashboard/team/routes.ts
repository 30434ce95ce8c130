import { inviteToTeam } from '@countersign/domain';
import { Hono } from 'hono';
import type { Site } from '../../site/site.ts';
import { confirmFirst } from '../../staff/confirmed.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { requireAction } from '../require-right.ts';
import { changeRole, rolePage } from './change-role.tsx';
import { invite, invitePage } from './invite.tsx';
import { removeMember, removePage } from './remove-user.tsx';
import { invitationPage, renewInvitation } from './renew-invitation.tsx';
import { teamPage } from './team-page.tsx';

/** A client's team: everybody may see it, those who manage it may change it. */
export function teamRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  routes.get('/', teamPage(site));
  // Before everything but the list.
  routes.use('/:page/*', requireAction(site, inviteToTeam));
  routes.get('/invite', confirmFirst(site), invitePage(site));
  routes.post('/invite', invite(site));
  routes.get('/:id/role', rolePage(site));
  routes.post('/:id/role', changeRole(site));
  routes.get('/:id/remove', removePage(site));
  routes.post('/:id/remove', removeMember(site));
  routes.get('/:id/invitation', invitationPage(site));
  routes.post('/:id/invitation', renewInvitation(site));
  return routes;
}
