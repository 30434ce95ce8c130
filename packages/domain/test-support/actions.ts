import { type As, createAs } from '../src/actions/as.ts';
import type { Caller } from '../src/actions/caller.ts';
import type { Services } from '../src/actions/services.ts';
import { PART_NAMES } from '../src/core/storage-parts.ts';
import type { User } from '../src/staff/user.ts';
import * as users from './account-actions.ts';
import { callerWith, sessionOf } from './account-actions.ts';
import { portWith } from './port-with.ts';
import { type RecordedActions, recorderInto } from './recorded-actions.ts';
import { NOW } from './verifications.ts';

export const COMMAND_LINE: Caller = { kind: 'command_line' };

/** Makes a caller who has just confirmed the password. */
const confirmed = (user: User): Caller =>
  callerWith(sessionOf(user, { withSecondFactor: true, confirmedAt: NOW }));

export const OWNER: Caller = confirmed(users.OWNER);
export const OPERATOR: Caller = confirmed(users.OPERATOR);
export const REVIEWER: Caller = confirmed({ ...users.OPERATOR, id: 'rita', role: 'reviewer' });

/** The actions of a caller, over these services and a storage with all parts. Adds to `recorded` what is recorded of them. */
export function actionsAs(caller: Caller, recorded: RecordedActions, services: object = {}): As {
  const parts = new Set(PART_NAMES);
  const clients = { find: async () => null };
  const ports = {
    clients,
    clock: { now: () => NOW },
    recorder: recorderInto(recorded),
    staff: undefined,
    onFault: () => undefined,
  };
  return createAs({ ...ports, services: portWith<Services>({ parts, ...services }) })(caller);
}
