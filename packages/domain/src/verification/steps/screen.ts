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

/** Makes screens of single pages of a step, each with the slug of its page. */
export function screensOfPages<Key extends string>(step: Key, ...pages: readonly string[]): ScreenOf<Key>[] {
  return pages.map((page) => ({ slug: page, parts: [{ step, page }] }));
}

/** Makes a screen of several pages of a step, or of one with another slug. */
export function screenOf<Key extends string>(slug: string, step: Key, ...pages: readonly string[]): ScreenOf<Key> {
  return { slug, parts: pages.map((page) => ({ step, page })) };
}
