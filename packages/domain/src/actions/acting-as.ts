import type { ManageApiKeys } from '../access/manage-api-keys.ts';
import { createAdministerUsers } from '../administration/administer-users.ts';
import { createAdministerVerifications } from '../administration/administer-verifications.ts';
import { createReadAudit } from '../administration/read-audit.ts';
import type { AuditRecorder } from '../audit/audit-recorder.ts';
import { createDashboardKeys } from '../dashboard/dashboard-keys.ts';
import { createReadUsage } from '../dashboard/dashboard-usage.ts';
import { createDashboardVerifications } from '../dashboard/dashboard-verifications.ts';
import { createTeam } from '../dashboard/team.ts';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ManageStaff } from '../staff/manage-staff.ts';
import type { Storage } from '../storage.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import type { CreateForRequester } from '../verification/create-verification.ts';
import type { Flows } from '../verification/flow.ts';
import type { Links } from '../verification/link.ts';
import type { ManageVerification } from '../verification/manage-verification.ts';
import type { ReadCases } from '../verification/read-cases.ts';
import type { ReviewVerification } from '../verification/review-verification.ts';
import { createAccountDesk } from './account-desk.ts';
import { type AdministrationPorts, createAdministrationDesk } from './administration-desk.ts';
import { callerContext } from './caller.ts';
import { createDashboardDesk, type DashboardPorts } from './dashboard-desk.ts';
import type { ActingAs } from './desks.ts';
import { createReviewDesk } from './review-desk.ts';
import { toldDetail, toldId } from './told.ts';

export interface ActingPorts {
  readonly storage: Pick<Storage, 'verifications' | 'clients' | 'audit'>;
  readonly staff: ManageStaff | undefined;
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly recorder: AuditRecorder;
  readonly links: Links;
  readonly flows: Flows;
  readonly onFault: (fault: unknown) => void;
  readonly createFor: CreateForRequester;
  readonly apiKeys: ManageApiKeys;
  readonly clients: ManageClients;
  readonly management: ManageVerification;
  readonly review: ReviewVerification & ReadCases;
}

/** The one way for people to the use cases: each desk puts its rules before them, and all write into one log. */
export function createActingAs(ports: ActingPorts): ActingAs {
  const { staff, clock, recorder, review, onFault } = ports;
  const guarded = { clock, recorder };
  const dashboard = dashboardPorts(ports);
  const administration = administrationPorts(ports, dashboard);

  return (acting) => {
    const standing = callerContext(acting);
    const { actor, from, team } = standing;
    return {
      dashboard: createDashboardDesk({ ...dashboard, ...guarded }, standing),
      review: createReviewDesk({ review, clientOf: administration.clientOfVerification, ...guarded }, standing),
      administration: createAdministrationDesk({ ...administration, ...guarded }, standing),
      account: (accounts) => createAccountDesk({ accounts, staff, onFault, ...guarded }, standing),
      noteRefusal: ({ action, detail: { code, ...detail }, clientId, targetId }) => {
        const about = { clientId: team?.clientId ?? toldId(clientId), targetId: toldId(targetId) };
        return recorder.refused(
          { actor, from, action, ...about, detail: toldDetail(detail) },
          typeof code === 'string' ? code : 'NOT_ALLOWED',
        );
      },
    };
  };
}

function dashboardPorts(ports: ActingPorts): DashboardPorts {
  const { apiKeys, clock, createFor, management, links, flows } = ports;
  const { verifications, clients } = ports.storage;
  return {
    clients: ports.clients,
    readUsage: createReadUsage({ clients, verifications, clock }),
    keysOf: (whose) => createDashboardKeys({ apiKeys, clock }, whose),
    verificationsOf: (whose) =>
      createDashboardVerifications({ verifications, flows, clients, createFor, management, links }, whose),
    teamOf: (whose) => createTeam({ staff: accountsOf(ports), rateLimiter: ports.rateLimiter }, whose),
  };
}

function administrationPorts(ports: ActingPorts, { readUsage }: DashboardPorts): AdministrationPorts {
  const { apiKeys, clients, management } = ports;
  const { verifications, audit } = ports.storage;
  return {
    clients,
    readUsage,
    apiKeys,
    readAudit: createReadAudit({ audit }),
    usersFor: (operatorId) => createAdministerUsers({ staff: accountsOf(ports), clients }, operatorId),
    verificationsFor: (operatorId) => createAdministerVerifications({ verifications, management }, operatorId),
    clientOfStaff: async (userId) => (await accountsOf(ports).find(userId))?.clientId ?? null,
    clientOfVerification: async (verificationId) =>
      (await verifications.findForAnyClient(verificationId))?.clientId ?? null,
  };
}

function accountsOf({ staff }: ActingPorts): ManageStaff {
  if (staff === undefined) throw new Error('There are no accounts of people: the port `staff` was left out');
  return staff;
}
