import { verifyWebhook, type WebhookPayload } from '@countersign/client';

/** Verifies a webhook whose body was not read. Throws `WebhookVerificationError`: answer it with 400. */
export async function receive(request: Request, secret: string): Promise<WebhookPayload> {
  const { id, payload } = await verifyWebhook(request, secret);
  console.log('handle once', id);
  return payload;
}
