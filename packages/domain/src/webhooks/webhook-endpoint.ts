import type { Secrets } from '../runtime.ts';
import type { WebhookType } from './webhook-event.ts';

/** How many endpoints a client may have. */
export const MAX_WEBHOOK_ENDPOINTS = 10;

const HOUR_MS = 60 * 60 * 1000;

/** How long a secret keeps signing after it was replaced, in hours. */
export const SECRET_OVERLAP_HOURS = 24;
const SECRET_OVERLAP_MS: number = SECRET_OVERLAP_HOURS * HOUR_MS;

/** How many replaced secrets sign beside the present one: `previousSecret` and `olderSecret`. */
export const MAX_REPLACED_SECRETS = 2;

/**
 * `active`: webhooks are sent. `paused`: a user paused it, or it failed for days; its webhooks wait. `disabled`: a user or its
 * receiver disabled it; it receives no webhooks.
 */
export const ENDPOINT_STATES = ['active', 'paused', 'disabled'] as const;
/** The state of an endpoint: one of `ENDPOINT_STATES`. */
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** A secret that signs webhooks, as it is stored. */
export interface StoredSecret {
  /** `whsec_` and base64 (Standard Webhooks), or its encrypted form. */
  readonly value: string;
  /** Names the key that encrypted `value`; null if it is not encrypted. Only a storage that seals sets it. */
  readonly wrappedBy: string | null;
}

/** A secret that was replaced and keeps signing until `validUntil`. */
export interface ReplacedSecret extends StoredSecret {
  readonly validUntil: Date;
}

/** An address of a client that receives webhooks. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly clientId: string;
  /** Absolute http(s) URL without user name and fragment. */
  readonly url: string;
  /** Display name of the receiver; empty if it has none. */
  readonly name: string;
  /** The types that it receives, at least one. */
  readonly types: readonly WebhookType[];
  readonly state: EndpointState;
  /** Events before this moment are not sent to it: its creation, or the last time it was enabled after `disabled`. */
  readonly since: Date;
  readonly createdAt: Date;
  /** The user who created it; null if the command line did. */
  readonly createdBy: string | null;
  readonly secret: StoredSecret;
  /** Number of `secret`: 1 for the first one, one more after each rotation. */
  readonly secretVersion: number;
  /** The secret before the last rotation. */
  readonly previousSecret: ReplacedSecret | null;
  /** The secret before `previousSecret`, if that was replaced before this one ended. */
  readonly olderSecret: ReplacedSecret | null;
  /** The first failed attempt after the last successful one; null if the last attempt was successful. */
  readonly failingSince: Date | null;
}

/** Whether an endpoint is paused because its requests failed, and not by a user. */
export function isPausedAfterFailures({
  state,
  failingSince,
}: Pick<WebhookEndpoint, 'state' | 'failingSince'>): boolean {
  return state === 'paused' && failingSince !== null;
}

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** Makes a secret: `whsec_` and the base64 of 32 random bytes (Standard Webhooks). */
export function newWebhookSecret(secrets: Pick<Secrets, 'randomBase64'>): string {
  return SECRET_PREFIX + secrets.randomBase64(SECRET_BYTES);
}

/** Returns the secrets that sign at a time, the newest first. */
export function signingSecrets(endpoint: WebhookEndpoint, now: Date): readonly StoredSecret[] {
  return [endpoint.secret, ...replacedSecrets(endpoint, now)];
}

/** Returns the replaced secrets that still sign at a time, the newest first. */
export function replacedSecrets(
  { previousSecret, olderSecret }: Pick<WebhookEndpoint, 'previousSecret' | 'olderSecret'>,
  now: Date,
): readonly ReplacedSecret[] {
  return [previousSecret, olderSecret].filter(
    (secret) => secret !== null && now < secret.validUntil,
  ) as ReplacedSecret[];
}

/** The secrets of an endpoint. */
export type EndpointSecrets = Pick<WebhookEndpoint, 'secret' | 'secretVersion' | 'previousSecret' | 'olderSecret'>;

/**
 * Replaces the secret of an endpoint. Every readable secret that signs now keeps signing until its end: a receiver may use any
 * of them. Null if there is no place for one more.
 */
export function rotatedSecrets(endpoint: EndpointSecrets, value: string, now: Date): EndpointSecrets | null {
  const { secret, secretVersion } = endpoint;
  const validUntil = new Date(now.getTime() + SECRET_OVERLAP_MS);
  const [previousSecret = null, olderSecret = null, ...rest] = [
    ...(isReadable(secret) ? [{ ...secret, validUntil }] : []),
    ...replacedSecrets(endpoint, now).filter(isReadable),
  ];
  if (rest.length > 0) return null;
  return { secret: { value, wrappedBy: null }, secretVersion: secretVersion + 1, previousSecret, olderSecret };
}

/** Whether a secret can be decrypted: reading the `value` of one that was sealed by a lost key throws. */
export function isReadable(secret: StoredSecret): boolean {
  try {
    return secret.value !== '';
  } catch {
    return false;
  }
}
