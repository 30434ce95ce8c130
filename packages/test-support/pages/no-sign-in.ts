import type { SignIn } from '@countersign/domain/staff';

/** For pages where nobody signs in. */
export const NO_SIGN_IN: SignIn = {
  signInPath: '/account/sign-in',
  signOutPath: '/account/sign-out',
  confirmPath: '/account/confirm',
  identify: async () => null,
  nameOf: async () => null,
};
