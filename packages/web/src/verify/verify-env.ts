import type { SubjectAccess, Verification } from '@countersign/domain';
import type { WebEnv } from '../site/web-env.ts';

/** What the session's middleware leaves in the context of every page of a verification. */
export interface VerifyEnv {
  Variables: WebEnv['Variables'] & {
    /** To be passed to `countersign.subject`. */
    access: SubjectAccess;
    /** As it was when the request began. */
    verification: Verification;
  };
}
