/** How much of a second of processor time a sender is forgiven each second. */
const FORGIVEN_SHARE = 0.1;

/** Remembers how much processor time the files of each sender have used recently. */
export interface SenderUse {
  /** Returns the milliseconds that are not forgiven yet. 0 for an unknown sender. */
  of(sender: string | undefined): number;
  add(sender: string | undefined, milliseconds: number): void;
}

/** @param now a clock in milliseconds that never goes back */
export function createSenderUse(now: () => number): SenderUse {
  /** Use by sender, at a moment from which on it is forgiven. */
  const uses = new Map<string, { readonly milliseconds: number; readonly at: number }>();

  function leftOf(sender: string): number {
    const use = uses.get(sender);
    return use === undefined ? 0 : Math.max(0, use.milliseconds - (now() - use.at) * FORGIVEN_SHARE);
  }

  return {
    of: (sender) => (sender === undefined ? 0 : leftOf(sender)),
    add(sender, milliseconds) {
      for (const known of uses.keys()) if (leftOf(known) === 0) uses.delete(known);
      if (sender !== undefined) uses.set(sender, { milliseconds: leftOf(sender) + milliseconds, at: now() });
    },
  };
}
