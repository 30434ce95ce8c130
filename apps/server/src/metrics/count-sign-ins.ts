import type { Accounts } from '@countersign/domain/staff';
import type { Metrics, SignInFailure } from './metrics.ts';

/** Wraps accounts so that refused attempts to sign in or to confirm an identity are counted. */
export function countSignIns<A extends Accounts>(
  accounts: A,
  { signInFailure }: Pick<Metrics, 'signInFailure'>,
): A {
  function counted<T extends { readonly outcome: string }>(reason: SignInFailure) {
    return (result: T): T => {
      if (result.outcome === 'refused') signInFailure(reason);
      if (result.outcome === 'throttled') signInFailure('throttled');
      return result;
    };
  }

  return {
    ...accounts,
    signIn: (...input) => accounts.signIn(...input).then(counted('password')),
    enterSecondFactor: (...input) => accounts.enterSecondFactor(...input).then(counted('second_factor')),
    confirmIdentity: (...input) => accounts.confirmIdentity(...input).then(counted('confirmation')),
  };
}
