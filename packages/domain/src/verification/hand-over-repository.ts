import type { HandOverCode, NewHandOver } from './hand-over-code.ts';

/** Names the verification of a code. */
export type HandOverPlace = Pick<HandOverCode, 'clientId' | 'verificationId'>;

/**
 * Stores hand-over codes: the last one of each verification. `RetentionRepository.erase` deletes it in the step that removes the data.
 * Each operation is atomic. Ids come from addresses unchecked: a text that cannot be an id finds nothing.
 */
export interface HandOverRepository {
  /**
   * Stores a code, which replaces the last one of its verification. It counts toward `MAX_HAND_OVERS` within `HAND_OVER_WINDOW_MS`
   * (`issuedHandOver`).
   *
   * Concurrency: calls at once are counted one by one, and the code of the last one stays.
   * @returns the code as it is stored; null and no change if the client has no such verification, it has another link version, its
   * link has expired, it cannot be answered (`ANSWERABLE_STATUSES`), or had its codes
   */
  issue(code: NewHandOver): Promise<HandOverCode | null>;

  /**
   * Marks a code as used at a time, if it works then (`handOverEnd`).
   *
   * Concurrency: of several calls at once, one gets the code and the others null. A renewal, submission or withdrawal at the same time
   * comes before it or after it.
   * @returns the code as it is stored now; null and no change if the verification has no code with this hash, or it does not work
   */
  spend(code: HandOverPlace & Pick<HandOverCode, 'codeHash'>, at: Date): Promise<HandOverCode | null>;

  /** Finds the last code of a verification; null without one. */
  find(place: HandOverPlace): Promise<HandOverCode | null>;

  /** Deletes up to `limit` codes that were issued before a time, oldest first. @returns the number of deleted ones */
  forget(request: { readonly before: Date; readonly limit: number }): Promise<number>;
}
