import type { AuditActor } from '../audit/audit-entry.ts';
import type { StaffSession } from '../staff/sign-in.ts';
import type { TeamRole } from '../staff/team-role.ts';
import type { Acting } from './acting.ts';
import { toldAddress } from './told.ts';

/** Who acts, as rights and the audit log see them. */
export interface Standing {
  readonly actor: AuditActor;
  /** Null at the command line. */
  readonly from: string | null;
  /** Set for staff of a client, and for nobody else. */
  readonly team: TeamStanding | null;
  /** Null for nobody, and at the command line. */
  readonly session: StaffSession | null;
}

export interface TeamStanding {
  readonly clientId: string;
  readonly userId: string;
  readonly teamRole: TeamRole | null;
}

export function standingOf(acting: Acting): Standing {
  switch (acting.kind) {
    case 'staff': {
      const { session } = acting;
      const { id, role, clientId, teamRole } = session.user;
      const team = role === 'client' && clientId !== null ? { clientId, userId: id, teamRole } : null;
      return { actor: { kind: role, id }, from: toldAddress(acting.from), team, session };
    }
    case 'nobody':
      return { actor: { kind: 'nobody', id: null }, from: toldAddress(acting.from), team: null, session: null };
    case 'command_line':
      return { actor: { kind: 'operator', id: null }, from: null, team: null, session: null };
    default:
      return acting satisfies never;
  }
}
