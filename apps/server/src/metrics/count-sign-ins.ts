import type { Accounts } from '@countersign/domain/staff';
import type { Metrics } from './metrics.ts';

/** What was wrong, or `throttled`: too many attempts. */
type SignInFailure = Parameters<Metrics['signInFailures']['inc']>[0]['reason'];

/** Wraps accounts so that refused attempts to sign in or to confirm an identity are counted. */
export function countSignIns<A extends Accounts>(
  accounts: A,
  { signInFailures }: Pick<Metrics, 'signInFailures'>,
): A {
  function counted<T extends { readonly outcome: string }>(reason: SignInFailure) {
    return (result: T): T => {
      if (result.outcome === 'refused') signInFailures.inc({ reason });
      if (result.outcome === 'throttled') signInFailures.inc({ reason: 'throttled' });
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
