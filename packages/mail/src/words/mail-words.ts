import type { Language } from '@countersign/domain';
import type { MailGroup, MailKind, MailValues } from '@countersign/domain/mail';

/** The sentences of one mail. */
export interface Words {
  readonly subject: string;
  /** The heading. */
  readonly title: string;
  /** What the mail is about. */
  readonly lead: string;
  /** What to do or to know. */
  readonly more: string;
  /** The name of its link. */
  readonly button: string;
  /** Why it was sent; default: what `FRAME` says for its group. */
  readonly why?: string;
}

/** The values of a mail as its sentences name them: names cannot become links or other lines, and moments are written out. */
export type Facts<V> = { readonly [K in keyof V]: V[K] extends Date ? string : V[K] } & {
  /** The client in a subject; empty without one. */
  readonly client: string;
  /** The client in a text; empty without one. */
  readonly name: string;
};

/** The words of each kind of mail of a group. A kind without words in every language does not compile. */
export type WordsOf<G extends MailGroup> = {
  readonly [K in Extract<MailKind, `${G}.${string}`>]: Readonly<
    Record<Language, (facts: Facts<MailValues[K]>) => Words>
  >;
};
