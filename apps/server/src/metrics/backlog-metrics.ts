import type { Readings } from './metrics.ts';

/** What waits to be sent. */
export interface Backlog {
  readonly waiting: number;
  readonly oldestAt: Date | null;
}

/** Source of the figures of each scrape. */
export interface BacklogSource {
  read(): Promise<Backlog>;
  onFault(fault: unknown): void;
}

/** Both gauges of one scrape share one reading. */
const READING_KEPT_MS = 1_000;

/** Reads a backlog at each scrape. Its gauges are absent while the database does not answer. */
export function backlogReadings({ read, onFault }: BacklogSource): Readings<'webhooks' | 'mails'> {
  let last: { readonly at: number; readonly backlog: Promise<Backlog | null> } | undefined;

  function present(): Promise<Backlog | null> {
    const at = performance.now();
    if (last === undefined || at - last.at > READING_KEPT_MS) {
      const backlog = read().catch((fault: unknown) => {
        onFault(fault);
        return null;
      });
      last = { at, backlog };
    }
    return last.backlog;
  }

  return {
    async backlog() {
      return (await present())?.waiting ?? null;
    },
    async oldestAge() {
      const backlog = await present();
      return backlog && secondsSince(backlog.oldestAt);
    },
  };
}

/** Returns the age of a moment in seconds, or 0 without one. */
export function secondsSince(moment: Date | null): number {
  return moment === null ? 0 : Math.max(0, (Date.now() - moment.getTime()) / 1_000);
}
