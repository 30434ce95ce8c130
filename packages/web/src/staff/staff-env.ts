import type { Desks, StaffMember, StaffSession } from '@countersign/domain';
import type { WebEnv } from '../site/web-env.ts';

/** What the gate of an area for staff leaves in the context. */
export interface StaffEnv {
  Variables: WebEnv['Variables'] & {
    session: StaffSession;
    /** Who that is. */
    member: StaffMember;
    /** All that they may do, recorded. */
    desks: Desks;
  };
}
