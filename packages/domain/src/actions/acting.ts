import type { StaffSession } from '../staff/sign-in.ts';

/** Who acts through a page or at the command line. Made anew for each request. */
export type Acting =
  | {
      readonly kind: 'staff';
      readonly session: StaffSession;
      /** Network address of the request. */
      readonly from: string;
    }
  /** Whoever is not signed in, or no longer: may do nothing, which is recorded. */
  | { readonly kind: 'nobody'; readonly from: string }
  /** An operator with access to the machine. */
  | { readonly kind: 'command_line' };
