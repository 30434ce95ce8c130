/** A page of a step on a screen. */
export interface PartOf<Key extends string> {
  readonly step: Key;
  /** The page's slug. */
  readonly page: string;
}

/** What a subject sees and answers at a time: one page of a step, or pages of several steps. */
export interface ScreenOf<Key extends string> {
  /** Last part of the screen's address, unique within a flow. */
  readonly slug: string;
  /** In the order in which they are shown. */
  readonly parts: readonly PartOf<Key>[];
}
