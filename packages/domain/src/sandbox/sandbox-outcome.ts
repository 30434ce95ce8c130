/** Where a sandbox drives a verification to that was created with `metadata.sandboxOutcome`. */
export const SANDBOX_OUTCOMES = ['approved', 'rejected', 'action_needed'] as const;
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];
