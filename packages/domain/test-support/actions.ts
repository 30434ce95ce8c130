import { type As, createAs } from '../src/actions/as.ts';
import type { Caller } from '../src/actions/caller.ts';
import type { Services } from '../src/actions/services.ts';
import type { Attempt, AuditRecorder, Made } from '../src/audit/audit-recorder.ts';
import type { User } from '../src/staff/user.ts';
import { STORAGE_PARTS } from '../src/storage-part.ts';
import { NOW } from './verifications.ts';

export const COMMAND_LINE: Caller = { kind: 'command_line' };

/** A signed-in user who has just confirmed the password. */
function signedIn(change: Pick<User, 'role'> & Partial<User>): Caller {
  const user: User = {
    id: 'user-1',
    email: 'ada@example.org',
    name: 'Ada',
    clientId: null,
    teamRole: null,
    ...change,
  };
  return {
    kind: 'user',
    session: { user, signedInAt: NOW, withSecondFactor: true, confirmedAt: NOW },
    from: '192.0.2.1',
  };
}

export const OWNER: Caller = signedIn({ role: 'client', clientId: 'client-1', teamRole: 'owner' });
export const OPERATOR: Caller = signedIn({ role: 'operator' });
export const REVIEWER: Caller = signedIn({ role: 'reviewer' });

/** What was recorded of actions. */
export interface RecordedActions {
  readonly ran: Attempt[];
  readonly refused: [Attempt, code: string][];
  readonly notDone: Attempt[];
  readonly made: Made[];
}

export const nothingRecorded = (): RecordedActions => ({ ran: [], refused: [], notDone: [], made: [] });

/** The actions of a caller, over these services and a storage with all parts. Adds to `recorded` what is recorded of them. */
export function actionsAs(caller: Caller, recorded: RecordedActions, services: object = {}): As {
  const { ran, refused, notDone } = recorded;
  const all: object = { parts: new Set(Object.keys(STORAGE_PARTS)), ...services };
  const recorder: AuditRecorder = {
    async act({ attempt, run, made }) {
      ran.push(attempt);
      const result = await run();
      const what = made?.(result) ?? null;
      if (what !== null) recorded.made.push(what);
      return result;
    },
    refused: async (attempt, code) => void refused.push([attempt, code]),
    notDone: async (attempt) => void notDone.push(attempt),
  };
  const clients = { find: async () => null };
  const ports = { clients, clock: { now: () => NOW }, recorder, staff: undefined, onFault: () => undefined };
  return createAs({ ...ports, services: all as Services })(caller);
}
