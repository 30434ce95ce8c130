import type { AccountField } from './account-form.tsx';

/** The address of an account. */
export const EMAIL: AccountField = {
  name: 'email',
  type: 'email',
  inputmode: 'email',
  label: 'account:signIn.email',
  needed: 'account:signIn.emailNeeded',
  autocomplete: 'username',
};

/** The password that the user has. */
export const CURRENT_PASSWORD: AccountField = {
  name: 'password',
  type: 'password',
  label: 'account:confirm.password',
  needed: 'account:confirm.passwordNeeded',
  autocomplete: 'current-password',
};
