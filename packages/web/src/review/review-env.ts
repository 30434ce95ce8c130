import type { StaffMember } from '@countersign/domain';
import type { WebEnv } from '../site/web-env.ts';

/** What the gate of the console leaves in the context: whoever reviews. */
export interface ReviewEnv {
  Variables: WebEnv['Variables'] & { reviewer: StaffMember };
}
