import { CountersignError } from '../errors.ts';
import { EVIDENCE_MAX_FILES, UPLOADS_AT_ONCE } from '../evidence/evidence-file.ts';
import type { Clock } from '../runtime.ts';
import type { ClientMode } from '../subscription/client-mode.ts';
import { isSubscriptionActive, type Plan, type Subscription } from '../subscription/subscription.ts';
import { networkOf } from './client-address.ts';
import { type BeginDownload, createDownloadSlots } from './download-slots.ts';
import type { RateLimitDecision, RateLimiter } from './rate-limiter.ts';

/**
 * Requests a minute. By plan, for all keys of a client, and `anonymous`, for requests without a valid key, by network
 * address (interface, Limits). `signedIn` is for the pages of a signed-in user: 5 a second leave room for a reviewer who
 * opens verifications with 20 files one after the other.
 */
export type RequestRates = Readonly<Record<Plan | 'anonymous' | 'signedIn', number>>;

/** Requests per minute, unless the settings of the core say otherwise. */
export const DEFAULT_REQUEST_RATES: RequestRates = {
  standard: 100,
  enterprise: 500,
  anonymous: 100,
  signedIn: 300,
};

const WINDOW_SECONDS = 60;

/**
 * Requests a minute with a subject's link or session, for one verification. Pages poll while the subject continues on a
 * phone.
 */
const SUBJECT_REQUESTS = 300;

/**
 * Twice the files that a verification takes, in 5 minutes. A picture of a few kilobytes can take seconds to decode, and
 * refused files do not count toward the limit of files.
 */
const UPLOADS = { requests: 2 * EVIDENCE_MAX_FILES, windowSeconds: 5 * 60 };

/** Test webhooks of a client, in an hour: each makes this service send a request. */
const WEBHOOK_TESTS = { requests: 60, windowSeconds: 60 * 60 };

/** A client whose requests are counted together, as an authenticated key names it. */
interface CountedClient {
  readonly clientId: string;
  readonly subscription: Subscription | null;
  readonly mode: ClientMode;
}

/** Counts a request in the bucket of its caller. */
export interface RateLimits {
  /** One bucket for all keys of a client: Enterprise while such a subscription runs, else Standard. Test mode is Standard. */
  forClient(client: CountedClient): Promise<RateLimitDecision>;
  /** One bucket for each IPv4 address or IPv6 /64. */
  forAddress(address: string): Promise<RateLimitDecision>;
  /**
   * One bucket for each IPv4 address or IPv6 /64, for requests to a subject's pages with neither a valid link nor a
   * session. It is apart from `forAddress`, and a valid link is never counted in it: subjects share addresses.
   */
  forInvalidLink(address: string): Promise<RateLimitDecision>;
  /** One bucket for each IPv4 address or IPv6 /64, for logos of clients, which browsers keep: apart from `forAddress`. */
  forLogo(address: string): Promise<RateLimitDecision>;
  /** One bucket for each verification, for requests with the link or a session of its subject: 300 a minute. */
  forSubject(verificationId: string): Promise<RateLimitDecision>;
  /** One bucket for each signed-in user, for pages and forms in all of their sessions: 300 a minute. */
  forUser(userId: string): Promise<RateLimitDecision>;
  /** One bucket for each verification, for files that its subject sends: 40 in 5 minutes. */
  forUpload(verificationId: string): Promise<RateLimitDecision>;
  /** One bucket for each client, for the test webhooks of its endpoints: 60 an hour. */
  forWebhookTest(clientId: string): Promise<RateLimitDecision>;
  /**
   * Begins an upload, before its body is read: slow uploads of one subject do not pile up. Counts the uploads of this
   * process only.
   * @returns a function to call when the upload has ended
   * @throws CountersignError `TOO_MANY_UPLOADS` while the verification has `UPLOADS_AT_ONCE` others
   */
  beginUpload(verificationId: string): () => void;
  readonly beginDownload: BeginDownload;
}

export function createRateLimits(
  ports: { rateLimiter: RateLimiter; clock: Clock },
  rates: RequestRates,
): RateLimits {
  const { rateLimiter, clock } = ports;
  const aMinute = (requests: number) => ({ requests, windowSeconds: WINDOW_SECONDS });

  const uploads = new Set<{ readonly of: string }>();

  function beginUpload(verificationId: string): () => void {
    const others = [...uploads].filter((each) => each.of === verificationId);
    if (others.length >= UPLOADS_AT_ONCE) throw tooManyUploads();
    const upload = { of: verificationId };
    uploads.add(upload);
    return () => void uploads.delete(upload);
  }

  return {
    forClient({ clientId, subscription, mode }) {
      const active = mode === 'live' && subscription !== null && isSubscriptionActive(subscription, clock.now());
      return rateLimiter.consume(`client:${clientId}`, aMinute(rates[active ? subscription.plan : 'standard']));
    },
    forAddress: (address) => rateLimiter.consume(`address:${networkOf(address)}`, aMinute(rates.anonymous)),
    forInvalidLink: (address) => rateLimiter.consume(`link:${networkOf(address)}`, aMinute(rates.anonymous)),
    forLogo: (address) => rateLimiter.consume(`logo:${networkOf(address)}`, aMinute(rates.anonymous)),
    forSubject: (verificationId) => rateLimiter.consume(`subject:${verificationId}`, aMinute(SUBJECT_REQUESTS)),
    forUser: (userId) => rateLimiter.consume(`user:${userId}`, aMinute(rates.signedIn)),
    forUpload: (verificationId) => rateLimiter.consume(`upload:${verificationId}`, UPLOADS),
    forWebhookTest: (clientId) => rateLimiter.consume(`webhook-test:${clientId}`, WEBHOOK_TESTS),
    beginUpload,
    beginDownload: createDownloadSlots(),
  };
}

const RETRY_UPLOAD_SECONDS = 10;

function tooManyUploads(): CountersignError {
  return new CountersignError('TOO_MANY_UPLOADS', undefined, {
    data: { retryAfterSeconds: RETRY_UPLOAD_SECONDS },
  });
}
