import type { EndpointChange, SecretEntry, WebhookRepository } from '@countersign/domain/storage';
import type { ReplacedSecret, StoredSecret, WebhookEndpoint } from '@countersign/domain/webhooks';
import type { KeyWrapping, WebhookSecretContext } from './key-wrapping.ts';
import { type RewrapOptions, rewrapAll } from './rewrap-all.ts';
import { markSealed, requireUnsealed } from './sealed-repositories.ts';
import { SealingError, unavailableWithoutKey } from './sealing-error.ts';

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
        const { stored } = entry;
        const value = stored.wrappedBy === null ? stored.value : await openSecret(stored, entry, keys);
        return webhooks.replaceSecret(entry, await sealSecret({ value, wrappedBy: null }, entry, keys));
      },
    },
    options,
  );
}

async function sealSecret(
  { value }: StoredSecret,
  { clientId, endpointId }: WebhookSecretContext,
  keys: KeyWrapping,
): Promise<StoredSecret> {
  const { wrapped, wrappedBy } = await keys.wrap(Buffer.from(value), { clientId, endpointId });
  return { value: wrapped, wrappedBy };
}

/** Decrypts a secret. @throws SealingError, and the errors of `keys` */
async function openSecret(
  { value: wrapped, wrappedBy }: StoredSecret,
  { clientId, endpointId }: WebhookSecretContext,
  keys: KeyWrapping,
): Promise<string> {
  if (wrappedBy === null) {
    throw new SealingError('NOT_SEALED', `The secret of webhook endpoint ${endpointId} is not sealed`, {
      endpointId,
    });
  }
  return Buffer.from(await keys.unwrap({ wrapped, wrappedBy }, { clientId, endpointId })).toString();
}

/** Returns the decrypted secret, or one whose value throws why it cannot be decrypted. */
async function unsealSecret<S extends StoredSecret>(
  stored: S,
  context: WebhookSecretContext,
  keys: KeyWrapping,
): Promise<S> {
  try {
    return { ...stored, value: await unavailableWithoutKey(openSecret(stored, context, keys)), wrappedBy: null };
  } catch (fault) {
    const get = (): never => {
      throw fault;
    };
    return Object.defineProperty({ ...stored, wrappedBy: null }, 'value', { get, enumerable: true });
  }
}

function contextOf({ clientId, id }: WebhookEndpoint): WebhookSecretContext {
  return { clientId, endpointId: id };
}
