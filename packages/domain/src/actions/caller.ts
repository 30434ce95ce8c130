import type { AuditActor } from '../audit/audit-entry.ts';
import { auditAddress } from '../audit/audit-values.ts';
import { CountersignError } from '../errors.ts';
import type { StaffSession } from '../staff/sign-in.ts';
import { belongsToClient, type TeamRole } from '../staff/user.ts';
import type { ClientMode } from '../subscription/client-mode.ts';
import type { ManagedVerification } from '../verification/manage-verification.ts';
import { unknownVerification } from '../verification/read-verifications.ts';

/** The caller of actions. Adapters make one for each request or command. */
export type Caller =
  | {
      readonly kind: 'user';
      readonly session: StaffSession;
      /** Network address of the request. */
      readonly from: string;
      /** `test`: users of a team act for the test twin of their client. Default: `live`. It means nothing for other users. */
      readonly mode?: ClientMode | undefined;
    }
  /** Not signed in. May run no action; every attempt is recorded. */
  | { readonly kind: 'anonymous'; readonly from: string }
  /** An operator with access to the machine. */
  | { readonly kind: 'command_line' };

/** The caller as rights and the audit log see them. */
export interface CallerContext {
  readonly actor: AuditActor;
  /** Network address; null at the command line. */
  readonly from: string | null;
  /** The caller's team; null for reviewers, operators, anonymous callers and the command line. */
  readonly team: TeamCaller | null;
  /** Null for anonymous callers and at the command line. */
  readonly session: StaffSession | null;
}

/** A caller in a client's team. */
export interface TeamCaller {
  /** The client that they act for: their own, or in test mode its test twin. */
  readonly clientId: string;
  readonly mode: ClientMode;
  readonly userId: string;
  readonly teamRole: TeamRole | null;
}

/** Resolves a caller to their role, client and session. In test mode, the client is still their own. */
export function callerContext(caller: Caller): CallerContext {
  switch (caller.kind) {
    case 'user': {
      const { session, mode = 'live' } = caller;
      const { id, role, clientId, teamRole } = session.user;
      const team = belongsToClient(role) && clientId !== null ? { clientId, mode, userId: id, teamRole } : null;
      const kind = belongsToClient(role) ? 'team_member' : role;
      return { actor: { kind, id }, from: auditAddress(caller.from), team, session };
    }
    case 'anonymous':
      return {
        actor: { kind: 'anonymous', id: null },
        from: auditAddress(caller.from),
        team: null,
        session: null,
      };
    case 'command_line':
      return { actor: { kind: 'operator', id: null }, from: null, team: null, session: null };
    default:
      return caller satisfies never;
  }
}

/** Returns the caller's team. @throws CountersignError `NOT_ALLOWED` for callers without a team */
export function teamOf({ team }: CallerContext): TeamCaller {
  if (team === null) throw notAllowed();
  return team;
}

/** Makes the error for an action that the caller's role or right does not allow. */
export function notAllowed(): CountersignError {
  return new CountersignError('NOT_ALLOWED');
}

/** Looks up the client of any verification, or null. */
interface FindsClients {
  readonly clientOfVerification: (verificationId: string) => Promise<string | null>;
}

/**
 * Finds the client of a verification that the caller may find: any, or for a user of a team one of their own client.
 * @throws CountersignError `VERIFICATION_NOT_FOUND`
 */
export async function clientOfVerification(
  services: FindsClients,
  verificationId: string,
  { team }: CallerContext,
): Promise<string> {
  const clientId = await services.clientOfVerification(verificationId);
  if (clientId === null || (team !== null && team.clientId !== clientId)) throw unknownVerification();
  return clientId;
}

/**
 * Names a verification of the caller's client and the caller; for operators, of any client.
 * @throws CountersignError `VERIFICATION_NOT_FOUND`
 */
export async function managedVerification(
  services: FindsClients,
  { verificationId }: { readonly verificationId: string },
  caller: CallerContext,
): Promise<ManagedVerification> {
  const { team, actor } = caller;
  if (team !== null) {
    return { clientId: team.clientId, verificationId, actor: { kind: 'team_member', id: team.userId } };
  }
  const clientId = await clientOfVerification(services, verificationId, caller);
  return { clientId, verificationId, actor: { kind: 'operator', id: actor.id } };
}
