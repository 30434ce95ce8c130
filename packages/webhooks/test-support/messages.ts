import type { WebhookMessage } from '@countersign/domain/webhooks';

export const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

/** A webhook to a URL. */
export function messageTo(url: string, given: Partial<WebhookMessage> = {}): WebhookMessage {
  const body = JSON.stringify({ type: 'verification.approved', data: { verificationId: 'v-1' } });
  return { id: 'event-1', url, body, secrets: [secretOf(7)], at: new Date(), ...given };
}
