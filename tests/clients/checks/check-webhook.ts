import { receive } from '../samples/typescript/webhook.ts';

// Passes the webhook of the environment to the sample, then one with another body.
const { HEADERS = '{}', BODY = '', SECRET = '' } = process.env;
const request = (body: string): Request =>
  new Request('http://localhost/webhooks', {
    method: 'POST',
    headers: JSON.parse(HEADERS) as Record<string, string>,
    body,
  });
const event = await receive(request(BODY), SECRET);
console.log('received', event.type, 'verificationId' in event.data ? event.data.verificationId : null);
await receive(request(`${BODY} `), SECRET).catch(() => console.log('forged'));
