import type { ManageApiKeys } from '../access/manage-api-keys.ts';
import type {
  AdministerClients,
  AdministerKeys,
  AdministerUsers,
  AdministerVerifications,
  Administration,
  ReadAudit,
} from '../administration/administration.ts';
import type { ReadUsage } from '../dashboard/dashboard-usage.ts';
import { STAFF_ROLES, TEAM_ROLES } from '../staff/user.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import { PLANS } from '../subscription/plan.ts';
import { SUBSCRIPTION_STATUSES } from '../subscription/subscription.ts';
import type { CallerContext } from './caller.ts';
import { createGuard, type GuardPorts, look, type OnOne } from './guard.ts';
import { toldMoment, toldNumber, toldWord } from './told.ts';
import { toldKey } from './told-key.ts';

export interface AdministrationPorts {
  readonly clients: ManageClients;
  readonly readUsage: ReadUsage;
  readonly apiKeys: ManageApiKeys;
  readonly readAudit: ReadAudit;
  readonly usersFor: (operatorId: string | null) => AdministerUsers;
  readonly verificationsFor: (operatorId: string | null) => AdministerVerifications;
  /** Whose staff somebody is, and whose verification it is; null for nobody's. */
  readonly clientOfStaff: (userId: string) => Promise<string | null>;
  readonly clientOfVerification: (verificationId: string) => Promise<string | null>;
}

/** What is recorded of operators, at the pages and at the command line. */
export function createAdministrationDesk(
  ports: AdministrationPorts & GuardPorts,
  standing: CallerContext,
): Administration {
  const { clients, readUsage, apiKeys, readAudit, clientOfStaff, clientOfVerification } = ports;
  const { kind, id: operatorId } = standing.actor;
  const guard = createGuard(ports, standing, () => kind === 'operator');
  const users = (): AdministerUsers => ports.usersFor(operatorId);
  const verifications = (): AdministerVerifications => ports.verificationsFor(operatorId);

  const onClient = { tells: ([clientId]: OnOne) => ({ clientId, targetId: clientId }) };
  const onUser = {
    confirmed: true,
    tells: ([targetId]: OnOne) => ({ targetId }),
    looksUpClient: ([userId]: OnOne) => clientOfStaff(userId),
  };
  const onVerification = {
    tells: ([targetId]: OnOne) => ({ targetId }),
    looksUpClient: ([verificationId]: OnOne) => clientOfVerification(verificationId),
  };

  return {
    clients: {
      list: guard(look('clients.list'), async () => clients.list()),
      get: guard(look('clients.get'), async (clientId: string) => clients.get(clientId)),
      usage: guard(look('clients.usage'), async (clientId: string) => readUsage(clientId)),
      create: guard(
        {
          action: 'clients.create',
          tells: ([{ plan, monthlyLimit }]) => ({
            detail: { plan: toldWord([...PLANS, 'none'], plan), monthlyLimit: toldNumber(monthlyLimit) },
          }),
          made: ({ client: { id } }) => ({ targetId: id, clientId: id }),
        },
        async (...[input]: Parameters<AdministerClients['create']>) => clients.create(input),
      ),
      setSubscription: guard(
        {
          action: 'clients.change_subscription',
          tells: ([clientId, { plan, status, monthlyLimit, endsAt }]) => ({
            ...onClient.tells([clientId]),
            detail: {
              plan: toldWord(PLANS, plan),
              status: toldWord(SUBSCRIPTION_STATUSES, status),
              monthlyLimit: toldNumber(monthlyLimit),
              endsAt: toldMoment(endsAt),
            },
          }),
        },
        async (...[clientId, settings]: Parameters<AdministerClients['setSubscription']>) =>
          clients.setSubscription(clientId, settings),
      ),
      setSandbox: guard(
        {
          action: 'clients.switch_sandbox',
          tells: ([clientId, sandbox]) => ({
            ...onClient.tells([clientId]),
            detail: { sandbox: toldWord([true, false], sandbox) },
          }),
        },
        async (clientId: string, sandbox: boolean) => clients.setSandbox(clientId, sandbox),
      ),
    },

    users: {
      list: guard(look('users.list'), async (...[of]: Parameters<AdministerUsers['list']>) => users().list(of)),
      get: guard(look('users.get'), async (userId: string) => users().get(userId)),
      create: guard(
        {
          action: 'users.create',
          confirmed: true,
          tells: ([{ clientId, role, teamRole }]) => ({
            clientId,
            detail: { role: toldWord(STAFF_ROLES, role), teamRole: toldWord(TEAM_ROLES, teamRole) },
          }),
          made: ({ user: { id } }) => ({ targetId: id }),
        },
        async (...[input]: Parameters<AdministerUsers['create']>) => users().create(input),
      ),
      invite: guard({ action: 'users.invite', ...onUser }, async (userId: string) => users().invite(userId)),
      changeRole: guard(
        {
          action: 'users.change_role',
          ...onUser,
          tells: ([targetId, to]) => ({
            targetId,
            detail: {
              role: toldWord(STAFF_ROLES, to.role),
              teamRole: 'teamRole' in to ? toldWord(TEAM_ROLES, to.teamRole) : undefined,
            },
          }),
        },
        async (...[userId, to]: Parameters<AdministerUsers['changeRole']>) => users().changeRole(userId, to),
      ),
      resetSecondFactor: guard({ action: 'users.reset_second_factor', ...onUser }, async (userId: string) =>
        users().resetSecondFactor(userId),
      ),
      remove: guard({ action: 'users.remove', ...onUser }, async (userId: string) => users().remove(userId)),
    },

    keys: {
      list: guard(look('keys.list'), async (clientId: string) => apiKeys.list(clientId)),
      issue: guard(
        {
          action: 'api_keys.create',
          confirmed: true,
          tells: ([clientId, input]) => ({ clientId, detail: toldKey(input) }),
          made: ({ key: { id, display } }) => ({ targetId: id, detail: { display } }),
        },
        async (...[clientId, input]: Parameters<AdministerKeys['issue']>) =>
          apiKeys.issue(clientId, input, operatorId),
      ),
      revoke: guard(
        { action: 'api_keys.revoke', tells: ([clientId, targetId]) => ({ clientId, targetId }) },
        async (clientId: string, keyId: string) => apiKeys.revoke(clientId, keyId),
      ),
    },

    verifications: {
      withdraw: guard({ action: 'verifications.withdraw', ...onVerification }, async (verificationId: string) =>
        verifications().withdraw(verificationId),
      ),
      renewLink: guard({ action: 'verifications.renew_link', ...onVerification }, async (verificationId: string) =>
        verifications().renewLink(verificationId),
      ),
    },

    audit: {
      list: guard(look('audit.list'), async (...[request]: Parameters<ReadAudit['list']>) =>
        readAudit.list(request),
      ),
    },
  };
}
