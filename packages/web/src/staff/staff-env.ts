import type { As, StaffSession, User } from '@countersign/domain';
import type { WebEnv } from '../site/page.ts';

/** What the gate of an area for staff leaves in the context. */
export interface StaffEnv {
  Variables: WebEnv['Variables'] & {
    session: StaffSession;
    /** Who that is. */
    user: User;
    /** Runs actions as this user. */
    as: As;
  };
}
