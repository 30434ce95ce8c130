import { CountersignError } from '../errors.ts';
import { ALL_DOWNLOADS_AT_ONCE, DOWNLOADS_AT_ONCE, SUBJECT_DOWNLOADS_AT_ONCE } from '../evidence/evidence-file.ts';

/** How long a download waits for a slot: long enough for the pictures of one page, which a browser requests at once. */
export const DOWNLOAD_WAIT_MS = 3_000;

/** Whose downloads are counted together: the id of a client or a user, or of a subject's verification or copy of data. */
export type DownloadCaller = string | { readonly subject: string };

/**
 * Begins a download, before its file is read: slow readers do not fill the memory. Counts the downloads of this process only. A
 * download that finds no free slot waits for one, in the order of arrival.
 *
 * @param wait called when the download has to wait; it waits until the promise settles, after `DOWNLOAD_WAIT_MS`
 * @returns a function to call when the download has ended, at least once
 * @throws CountersignError `TOO_MANY_DOWNLOADS`
 */
export type BeginDownload = (caller: DownloadCaller, wait: () => Promise<unknown>) => Promise<() => void>;

interface Waiting {
  readonly caller: DownloadCaller;
  readonly start: (end: () => void) => void;
}

/** Gives `DOWNLOADS_AT_ONCE` slots to each caller, `SUBJECT_DOWNLOADS_AT_ONCE` to all subjects and `ALL_DOWNLOADS_AT_ONCE` to all callers. */
export function createDownloadSlots(): BeginDownload {
  const running = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let all = 0;
  let ofSubjects = 0;

  function hasSlot(caller: DownloadCaller): boolean {
    if (isSubject(caller) && ofSubjects >= SUBJECT_DOWNLOADS_AT_ONCE) return false;
    return all < ALL_DOWNLOADS_AT_ONCE && (running.get(nameOf(caller)) ?? 0) < DOWNLOADS_AT_ONCE;
  }

  function count(caller: DownloadCaller, change: 1 | -1): void {
    all += change;
    if (isSubject(caller)) ofSubjects += change;
    const name = nameOf(caller);
    const left = (running.get(name) ?? 0) + change;
    if (left > 0) running.set(name, left);
    else running.delete(name);
  }

  function occupy(caller: DownloadCaller): () => void {
    count(caller, 1);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      count(caller, -1);
      startWaiting();
    };
  }

  function startWaiting(): void {
    for (const one of waiting) {
      if (!hasSlot(one.caller)) continue;
      waiting.delete(one);
      one.start(occupy(one.caller));
    }
  }

  return async (caller, wait) => {
    if (hasSlot(caller)) return occupy(caller);
    return new Promise((start, refuse) => {
      const one: Waiting = { caller, start };
      waiting.add(one);
      const giveUp = (): void => {
        if (waiting.delete(one)) refuse(new CountersignError('TOO_MANY_DOWNLOADS'));
      };
      wait().then(giveUp, giveUp);
    });
  };
}

function isSubject(caller: DownloadCaller): boolean {
  return typeof caller !== 'string';
}

function nameOf(caller: DownloadCaller): string {
  return typeof caller === 'string' ? caller : `subject ${caller.subject}`;
}
