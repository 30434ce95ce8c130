import type { WebhookEndpoint } from './webhook-endpoint.ts';
import type { Attempt, SecretEntry } from './webhook-repository.ts';

/** Removes the texts of an attempt: so it is stored once the erasure of its verification has begun. */
export function withoutTexts(attempt: Attempt): Attempt {
  return { ...attempt, request: '', response: null, fault: null };
}

/** Lists the stored secrets of an endpoint as `WebhookRepository.listSecretsNotWrappedBy` does: the oldest first. */
export function secretsOf(endpoint: WebhookEndpoint): SecretEntry[] {
  const { clientId, id: endpointId } = endpoint;
  return (['olderSecret', 'previousSecret', 'secret'] as const).flatMap((which) => {
    const secret = endpoint[which];
    if (secret === null) return [];
    const { value, wrappedBy } = secret;
    return [{ clientId, endpointId, which, stored: { value, wrappedBy } }];
  });
}
