import type { EndpointChange, SecretEntry, WebhookRepository } from '@countersign/domain/storage';
import type { ReplacedSecret, WebhookEndpoint } from '@countersign/domain/webhooks';
import type { KeyWrapping, WebhookSecretContext } from './key-wrapping.ts';
import { type RewrapOptions, rewrapAll } from './rewrap-all.ts';
import { markSealed, requireUnsealed } from './sealed-repositories.ts';
import { rewrapSecret, sealSecret, unsealSecret } from './sealed-secret.ts';

/**
 * Wraps a repository: the secrets of endpoints are encrypted with the newest key on the way in and decrypted on the way out. A
 * secret opens only for its endpoint and client.
 *
 * An endpoint whose secret cannot be decrypted stays in every list, so that the others keep working. Reading the `value` of
 * that secret throws why: a SealingError, or `SERVICE_UNAVAILABLE` if another server may hold the key.
 */
export function createSealedWebhooks(inner: WebhookRepository, keys: KeyWrapping): WebhookRepository {
  requireUnsealed(inner);

  async function unseal(endpoint: WebhookEndpoint): Promise<WebhookEndpoint> {
    const context = contextOf(endpoint);
    const { secret, previousSecret, olderSecret } = endpoint;
    return {
      ...endpoint,
      secret: await unsealSecret(secret, context, keys),
      previousSecret: previousSecret && (await unsealSecret(previousSecret, context, keys)),
      olderSecret: olderSecret && (await unsealSecret(olderSecret, context, keys)),
    };
  }

  async function sealChange(change: EndpointChange, context: WebhookSecretContext): Promise<EndpointChange> {
    const { secret, previousSecret, olderSecret } = change;
    return {
      ...change,
      ...(secret && { secret: await sealSecret(secret, context, keys) }),
      ...(previousSecret && { previousSecret: await sealReplaced(previousSecret, context) }),
      ...(olderSecret && { olderSecret: await sealReplaced(olderSecret, context) }),
    };
  }

  async function sealReplaced(replaced: ReplacedSecret, context: WebhookSecretContext): Promise<ReplacedSecret> {
    return { ...(await sealSecret(replaced, context, keys)), validUntil: replaced.validUntil };
  }

  const sealed: WebhookRepository = {
    async add(endpoint) {
      const { secret, previousSecret, olderSecret } = endpoint;
      const secrets = await sealChange({ secret, previousSecret, olderSecret }, contextOf(endpoint));
      return inner.add({ ...endpoint, ...secrets });
    },
    list: async (clientId) => Promise.all((await inner.list(clientId)).map(unseal)),
    async change(clientId, endpointId, change, now, expected) {
      const sealedChange = await sealChange(change, { clientId, endpointId });
      const changed = await inner.change(clientId, endpointId, sealedChange, now, expected);
      return changed.outcome === 'changed' ? { ...changed, endpoint: await unseal(changed.endpoint) } : changed;
    },
    remove: (clientId, endpointId) => inner.remove(clientId, endpointId),
    fanOut: (request) => inner.fanOut(request),
    leaseEndpoints: async (request) => Promise.all((await inner.leaseEndpoints(request)).map(unseal)),
    extend: (lease, until) => inner.extend(lease, until),
    due: (lease, request) => inner.due(lease, request),
    settle: (lease, delivery, result) => inner.settle(lease, delivery, result),
    release: (lease) => inner.release(lease),
    deliveries: (query) => inner.deliveries(query),
    attempts: (clientId, endpointId, eventId) => inner.attempts(clientId, endpointId, eventId),
    resend: (request) => inner.resend(request),
    forget: (request) => inner.forget(request),
    backlog: (limit) => inner.backlog(limit),
    countPausedAfterFailures: () => inner.countPausedAfterFailures(),
    countSecretsNotWrappedBy: (key) => inner.countSecretsNotWrappedBy(key),
    listSecretsNotWrappedBy: (key, after, limit) => inner.listSecretsNotWrappedBy(key, after, limit),
    replaceSecret: (entry, next) => inner.replaceSecret(entry, next),
  };
  markSealed(sealed);
  return sealed;
}

/** The secrets of endpoints to re-wrap, and the keys that wrap them. */
export interface SecretRotationOptions extends RewrapOptions {
  /** As its factory returned it, not sealed. */
  readonly webhooks: Pick<
    WebhookRepository,
    'countSecretsNotWrappedBy' | 'listSecretsNotWrappedBy' | 'replaceSecret'
  >;
  readonly keys: KeyWrapping;
}

/**
 * Re-wraps every secret of a webhook endpoint that an older key encrypted with the newest key, and encrypts plain ones. The
 * secrets stay the same. Otherwise as `rotateDataKeys`.
 * @returns the number of secrets that this call re-wrapped
 * @throws SealingError `ROTATION_INCOMPLETE`, as `rotateDataKeys`
 */
export function rotateWebhookSecrets({ webhooks, keys, ...options }: SecretRotationOptions): Promise<{
  readonly rewrapped: number;
}> {
  return rewrapAll<SecretEntry>(
    {
      name: 'webhook secret',
      wrappedBy: ({ stored }) => stored.wrappedBy,
      count: () => webhooks.countSecretsNotWrappedBy(keys.newest),
      list: (after, limit) => webhooks.listSecretsNotWrappedBy(keys.newest, after, limit),
      async rewrap(entry) {
        const context = { clientId: entry.clientId, endpointId: entry.endpointId };
        return webhooks.replaceSecret(entry, await rewrapSecret(entry.stored, context, keys));
      },
    },
    options,
  );
}

function contextOf({ clientId, id }: WebhookEndpoint): WebhookSecretContext {
  return { clientId, endpointId: id };
}
