import type { S3Client } from '@aws-sdk/client-s3';

/** The object storage's clock, as its responses show it. */
export interface WatchedClock {
  /** Difference by its last answer, exact to a second; positive when it is ahead of this machine's. 0 before the first answer. */
  difference(): { readonly clockDifferenceMs: number; readonly roundTripMs: number };
}

/** Answers have the time in whole seconds. */
const EXACT_TO_MS = 1_000;

/** Reads the object storage's clock from each of its answers. */
export function watchClock(client: S3Client): WatchedClock {
  let last = { clockDifferenceMs: 0, roundTripMs: 0 };
  client.middlewareStack.add(
    (next) => async (args) => {
      const sentAt = Date.now();
      const result = await next(args);
      const { headers } = result.response as { headers?: Readonly<Record<string, string | undefined>> };
      const answeredAt = Date.parse(headers?.date ?? '');
      const receivedAt = Date.now();
      if (!Number.isNaN(answeredAt)) {
        const middle = (sentAt + receivedAt) / 2;
        const clockDifferenceMs = Math.round(answeredAt + EXACT_TO_MS / 2 - middle);
        last = { clockDifferenceMs, roundTripMs: receivedAt - sentAt + EXACT_TO_MS };
      }
      return result;
    },
    // Below the retries, so that it sees each attempt.
    { name: 'watchClock', step: 'deserialize', priority: 'low', override: true },
  );
  return { difference: () => last };
}
