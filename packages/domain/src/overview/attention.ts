import type { ListedKey } from '../access/api-key.ts';
import { KEY_EXPIRY_NOTICE_DAYS } from '../access/key-notices.ts';
import type { ExportRequest } from '../exports/export-request.ts';
import type { BoundedCount } from '../subscription/bounded-count.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.ts';

/** Days after its creation on which an API key that was never used needs attention. */
export const KEY_UNUSED_DAYS = 30;

/** What a user of a client's team should look at: its kind, and the facts to word it with. */
export type AttentionItem =
  /** An endpoint whose last attempt failed. */
  | {
      readonly kind: 'endpoint_failing';
      readonly endpointId: string;
      /** Empty if it has none. */
      readonly name: string;
      readonly url: string;
      /** The first failed attempt after the last successful one. */
      readonly since: Date;
      /** Whether it is paused, by a user or after failing for days: its webhooks wait until a user resumes it. */
      readonly isPaused: boolean;
      /** Events that it refused and has not received (`WebhookLog.refused`). */
      readonly refused: BoundedCount;
    }
  /** An active key that expires in `KEY_EXPIRY_NOTICE_DAYS` or sooner. */
  | {
      readonly kind: 'key_expiring';
      readonly keyId: string;
      /** Empty if it has none; `display` then names it. */
      readonly name: string;
      readonly display: string;
      readonly expiresAt: Date;
      /** Rounded up. */
      readonly expiresInDays: number;
    }
  /** An active key that was never used and is `KEY_UNUSED_DAYS` old or older. One that expires soon is not among them. */
  | {
      readonly kind: 'key_unused';
      readonly keyId: string;
      readonly name: string;
      readonly display: string;
      readonly createdAt: Date;
    }
  /** Requests for copies of data that wait for their release. */
  | {
      readonly kind: 'copies_requested';
      readonly count: BoundedCount;
      /** The oldest request; null if not all were counted. */
      readonly since: Date | null;
    };

/** A kind of `AttentionItem`. */
export type AttentionKind = AttentionItem['kind'];

/** An endpoint with the events that it refused. */
export type RefusingEndpoint = Pick<WebhookEndpoint, 'id' | 'name' | 'url' | 'state' | 'failingSince'> & {
  readonly refused: BoundedCount;
};

/** What the list is derived from. Null where the user may not act on it. */
export interface AttentionFacts {
  readonly endpoints: readonly RefusingEndpoint[] | null;
  readonly keys: readonly ListedKey[] | null;
  /** The first page of requests that wait, and whether there are more. */
  readonly copies: { readonly exports: readonly ExportRequest[]; readonly hasMore: boolean } | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Whether an endpoint fails now. A disabled one receives nothing, so nothing needs to be done about it. */
export function isFailing({ state, failingSince }: Pick<WebhookEndpoint, 'state' | 'failingSince'>): boolean {
  return state !== 'disabled' && failingSince !== null;
}

/** Lists what needs attention: failing endpoints, expiring keys, unused keys, requests for copies, each the most pressing first. */
export function attentionOf({ endpoints, keys, copies }: AttentionFacts, now: Date): readonly AttentionItem[] {
  return [
    ...(endpoints ?? []).flatMap(failingItem).sort((a, b) => a.since.getTime() - b.since.getTime()),
    ...(keys ?? []).flatMap(expiringItem).sort((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime()),
    ...(keys ?? [])
      .flatMap((key) => unusedItem(key, now))
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime()),
    ...(copies === null ? [] : copiesItem(copies)),
  ];
}

type Item<K extends AttentionKind> = Extract<AttentionItem, { readonly kind: K }>;

function failingItem(endpoint: RefusingEndpoint): Item<'endpoint_failing'>[] {
  const { id: endpointId, name, url, state, failingSince: since, refused } = endpoint;
  if (!isFailing(endpoint) || since === null) return [];
  return [{ kind: 'endpoint_failing', endpointId, name, url, since, isPaused: state === 'paused', refused }];
}

function isExpiring({ expiresInDays }: ListedKey): boolean {
  return expiresInDays !== null && expiresInDays <= KEY_EXPIRY_NOTICE_DAYS;
}

function expiringItem(key: ListedKey): Item<'key_expiring'>[] {
  const { id: keyId, name, display, expiresAt, expiresInDays } = key;
  if (!isExpiring(key) || expiresAt === null || expiresInDays === null) return [];
  return [{ kind: 'key_expiring', keyId, name, display, expiresAt, expiresInDays }];
}

function unusedItem(key: ListedKey, now: Date): Item<'key_unused'>[] {
  const { id: keyId, name, display, state, createdAt, lastUsedAt } = key;
  if (state !== 'active' || lastUsedAt !== null || isExpiring(key)) return [];
  if (now.getTime() - createdAt.getTime() < KEY_UNUSED_DAYS * DAY_MS) return [];
  return [{ kind: 'key_unused', keyId, name, display, createdAt }];
}

function copiesItem({
  exports,
  hasMore,
}: NonNullable<AttentionFacts['copies']>): readonly Item<'copies_requested'>[] {
  if (exports.length === 0) return [];
  const oldest = Math.min(...exports.map(({ requestedAt }) => requestedAt.getTime()));
  const count = { count: exports.length, isExact: !hasMore };
  return [{ kind: 'copies_requested', count, since: hasMore ? null : new Date(oldest) }];
}
