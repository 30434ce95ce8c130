import type { CountDifference, CountKey } from './verification-counts.ts';

/**
 * Compares and corrects the counts that a storage keeps beside the verifications, such as by triggers. A storage that counts when
 * `VerificationRepository.counts` is called has nothing to correct: its `differences` are empty, and `recount` does nothing.
 */
export interface CounterRepository {
  /**
   * Compares the kept counts of the client with its verifications, at one moment, and returns those that differ. It reads
   * every verification of the client, so it is not for requests.
   */
  differences(clientId: string): Promise<readonly CountDifference[]>;

  /**
   * Sets counts to the numbers of verifications, in one step: no change that runs at the same time is lost or counted
   * twice.
   */
  recount(key: CountKey): Promise<void>;
}
