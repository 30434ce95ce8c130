import type { Dashboard, DashboardKeys, DashboardRight, DashboardTeam } from '../dashboard/dashboard.ts';
import type { ReadUsage } from '../dashboard/dashboard-usage.ts';
import type { ClientVerifications } from '../dashboard/dashboard-verifications.ts';
import { hasRight } from '../dashboard/rights.ts';
import { valueAt } from '../parse.ts';
import { TEAM_ROLES } from '../staff/user.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import { SUBJECT_TYPES } from '../verification/flow.ts';
import { STATUSES } from '../verification/status.ts';
import type { CallerContext, TeamCaller } from './caller.ts';
import { createGuard, type GuardPorts, look, notAllowed, type OnOne } from './guard.ts';
import { toldDay, toldWord } from './told.ts';
import { toldKey } from './told-key.ts';

export interface DashboardPorts {
  readonly clients: Pick<ManageClients, 'get'>;
  readonly readUsage: ReadUsage;
  readonly keysOf: (whose: TeamCaller) => DashboardKeys;
  readonly verificationsOf: (whose: TeamCaller) => ClientVerifications;
  readonly teamOf: (whose: TeamCaller) => DashboardTeam;
}

/** Who in a client's team may do what, and what is recorded of it. */
export function createDashboardDesk(ports: DashboardPorts & GuardPorts, standing: CallerContext): Dashboard {
  const { clients, readUsage } = ports;
  const may = (right: DashboardRight): boolean =>
    standing.team !== null && hasRight(standing.team.teamRole, right);
  const guard = createGuard<DashboardRight>(ports, standing, (right) =>
    right === undefined ? standing.team !== null : may(right),
  );

  /** Asked for behind a guard only. */
  function own(): TeamCaller {
    if (standing.team === null) throw notAllowed();
    return standing.team;
  }
  const keys = (): DashboardKeys => ports.keysOf(own());
  const verifications = (): ClientVerifications => ports.verificationsOf(own());
  const team = (): DashboardTeam => ports.teamOf(own());

  const keysRight = { right: 'manage_keys' } as const;
  const teamRight = { right: 'manage_team', confirmed: true } as const;
  const verificationsRight = { right: 'manage_verifications' } as const;
  const onTarget = { tells: ([targetId]: OnOne) => ({ targetId }) };
  const withSubmittedData = may('read_submitted_data');
  const withLink = may('manage_verifications');

  return {
    may,
    client: guard(look('client'), async () => clients.get(own().clientId)),
    usage: guard(look('usage'), async () => readUsage(own().clientId)),

    keys: {
      list: guard({ ...look('keys.list'), ...keysRight }, async () => keys().list()),
      get: guard({ ...look('keys.get'), ...keysRight }, async (keyId: string) => keys().get(keyId)),
      issue: guard(
        {
          action: 'api_keys.create',
          ...keysRight,
          confirmed: true,
          tells: ([input]) => ({ detail: toldKey(input) }),
          made: ({ key: { id, display } }) => ({ targetId: id, detail: { display } }),
        },
        async (...[input]: Parameters<DashboardKeys['issue']>) => keys().issue(input),
      ),
      rotate: guard(
        {
          action: 'api_keys.rotate',
          ...keysRight,
          confirmed: true,
          tells: ([targetId, input]) => ({ targetId, detail: toldKey(input) }),
          made: ({ key: { id, display }, replaces }) => ({
            targetId: id,
            detail: { display, replaces: replaces.id },
          }),
        },
        async (...[keyId, input]: Parameters<DashboardKeys['rotate']>) => keys().rotate(keyId, input),
      ),
      revoke: guard(
        { action: 'api_keys.revoke', ...keysRight, ...onTarget },
        async (keyId: string, typedName: string) => keys().revoke(keyId, typedName),
      ),
    },

    verifications: {
      browse: guard(
        look('verifications.browse'),
        async (...[request]: Parameters<ClientVerifications['browse']>) => verifications().browse(request),
      ),
      open: guard(
        { action: 'verifications.read', quiet: !withSubmittedData, ...onTarget },
        async (verificationId: string) => verifications().open(verificationId, { withSubmittedData, withLink }),
      ),
      create: guard(
        {
          action: 'verifications.create',
          ...verificationsRight,
          tells: ([input]) => ({ detail: { type: toldWord(SUBJECT_TYPES, valueAt(input, ['subjectType'])) } }),
          made: ({ id }) => ({ targetId: id }),
        },
        async (...[input, options]: Parameters<ClientVerifications['create']>) =>
          verifications().create(input, options),
      ),
      withdraw: guard(
        { action: 'verifications.withdraw', ...verificationsRight, ...onTarget },
        async (verificationId: string) => verifications().withdraw(verificationId),
      ),
      renewLink: guard(
        { action: 'verifications.renew_link', ...verificationsRight, ...onTarget },
        async (verificationId: string) => verifications().renewLink(verificationId),
      ),
      export: guard(
        {
          action: 'verifications.export',
          right: 'export',
          tells: ([{ status, type, fromDay, untilDay }]) => ({
            detail: {
              status: toldWord(STATUSES, status),
              type: toldWord(SUBJECT_TYPES, type),
              fromDay: toldDay(fromDay),
              untilDay: toldDay(untilDay),
            },
          }),
        },
        async (...[request]: Parameters<ClientVerifications['export']>) => verifications().export(request),
      ),
    },

    team: {
      list: guard(look('team.list'), async () => team().list()),
      invite: guard(
        {
          action: 'team.invite',
          ...teamRight,
          tells: ([{ teamRole }]) => ({ detail: { teamRole: toldWord(TEAM_ROLES, teamRole) } }),
          made: ({ user }) => ({ targetId: user.id }),
        },
        async (...[input]: Parameters<DashboardTeam['invite']>) => team().invite(input),
      ),
      renewInvitation: guard(
        { action: 'team.renew_invitation', ...teamRight, ...onTarget },
        async (userId: string) => team().renewInvitation(userId),
      ),
      changeRole: guard(
        {
          action: 'team.change_role',
          ...teamRight,
          tells: ([targetId, teamRole]) => ({ targetId, detail: { teamRole: toldWord(TEAM_ROLES, teamRole) } }),
        },
        async (...[userId, teamRole]: Parameters<DashboardTeam['changeRole']>) =>
          team().changeRole(userId, teamRole),
      ),
      remove: guard({ action: 'team.remove', ...teamRight, ...onTarget }, async (userId: string) =>
        team().remove(userId),
      ),
    },
  };
}
