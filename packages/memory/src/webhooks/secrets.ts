import { compareText, type SecretEntry, secretsOf, type WebhookRepository } from '@countersign/domain/storage';
import type { Tables } from '../tables.ts';
import { endpointOf } from './endpoints.ts';

type SecretOperations = Pick<
  WebhookRepository,
  'countSecretsNotWrappedBy' | 'listSecretsNotWrappedBy' | 'replaceSecret'
>;

export function createSecrets(tables: Tables): SecretOperations {
  const notWrappedBy = (key: string): SecretEntry[] =>
    [...tables.endpoints.values()]
      .flatMap(({ endpoint }) => secretsOf(endpoint))
      .filter(({ stored }) => stored.wrappedBy !== key);

  return {
    countSecretsNotWrappedBy: async (key) => notWrappedBy(key).length,

    async listSecretsNotWrappedBy(key, after, limit) {
      const left = notWrappedBy(key).filter((entry) => after === null || order(entry, after) > 0);
      return structuredClone(left.sort(order).slice(0, limit));
    },

    async replaceSecret({ clientId, endpointId, which, stored }, next) {
      const holder = endpointOf(tables, clientId, endpointId);
      const present = holder?.endpoint[which];
      if (holder === undefined || present?.value !== stored.value || present.wrappedBy !== stored.wrappedBy)
        return { outcome: 'conflict' };
      const { value, wrappedBy } = next;
      holder.endpoint = { ...holder.endpoint, [which]: { ...present, value, wrappedBy } };
      return { outcome: 'replaced' };
    },
  };
}

function order(a: Pick<SecretEntry, 'endpointId' | 'which'>, b: typeof a): number {
  return compareText(a.endpointId, b.endpointId) || compareText(a.which, b.which);
}
