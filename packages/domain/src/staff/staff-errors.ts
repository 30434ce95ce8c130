import { CountersignError } from '../errors.ts';

export function userNotFound(): CountersignError {
  return new CountersignError('USER_NOT_FOUND', 'User not found');
}

export function userExists(): CountersignError {
  return new CountersignError('USER_EXISTS', 'This e-mail address already has an account');
}

export function ownAccount(): CountersignError {
  return new CountersignError('OWN_ACCOUNT', 'Not for your own account: ask somebody else');
}
