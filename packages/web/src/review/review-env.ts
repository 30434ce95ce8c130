import type { StaffEnv } from '../staff/staff-env.ts';

/** What the gate of the console leaves in the context: `member` is whoever reviews. */
export type ReviewEnv = StaffEnv;
