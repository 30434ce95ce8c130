import type { Secrets } from '../runtime.ts';
import type { WebhookType } from './webhook-event.ts';

/** How many endpoints a client may have. */
export const MAX_WEBHOOK_ENDPOINTS = 10;

/** How long the previous secret keeps signing after a rotation, in milliseconds. */
export const SECRET_OVERLAP_MS: number = 24 * 60 * 60 * 1000;

/**
 * `active`: webhooks are sent. `paused`: a user paused it, or it failed for days; its webhooks wait. `disabled`: a user or its
 * receiver disabled it; it receives no webhooks.
 */
export const ENDPOINT_STATES = ['active', 'paused', 'disabled'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** A secret that signs webhooks, as it is stored. */
export interface StoredSecret {
  /** `whsec_` and base64 (Standard Webhooks), or its encrypted form. */
  readonly value: string;
  /** Names the key that encrypted `value`; null if it is not encrypted. Only a storage that seals sets it. */
  readonly wrappedBy: string | null;
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
  /** The secret before the last rotation, which keeps signing until `validUntil`. */
  readonly previousSecret: (StoredSecret & { readonly validUntil: Date }) | null;
  /** The first failed attempt after the last successful one; null if the last attempt was successful. */
  readonly failingSince: Date | null;
}

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** Makes a secret: `whsec_` and the base64 of 32 random bytes (Standard Webhooks). */
export function newWebhookSecret(secrets: Pick<Secrets, 'randomBase64'>): string {
  return SECRET_PREFIX + secrets.randomBase64(SECRET_BYTES);
}

/** Returns the secrets that sign at a time, the newest first. */
export function signingSecrets(endpoint: WebhookEndpoint, now: Date): readonly StoredSecret[] {
  const { secret, previousSecret } = endpoint;
  return previousSecret !== null && now < previousSecret.validUntil ? [secret, previousSecret] : [secret];
}
