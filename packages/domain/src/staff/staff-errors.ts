import { CountersignError } from '../errors.ts';

export function unknownStaff(): CountersignError {
  return new CountersignError('STAFF_NOT_FOUND', 'Nobody has this id');
}

export function staffExists(): CountersignError {
  return new CountersignError('STAFF_EXISTS', 'This e-mail address has an account already');
}

export function ownAccount(): CountersignError {
  return new CountersignError('OWN_ACCOUNT', 'Not for your own account: ask somebody else');
}
