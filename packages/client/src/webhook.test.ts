import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, type WebhookErrorCode, WebhookVerificationError } from './index.ts';

const DOCS = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const secret = secretOf(7);
const foreign = secretOf(8);
const sentAt = new Date('2026-03-01T10:00:00Z');
const body = JSON.stringify({ type: 'verification.approved', data: { verificationId: 'v_1', name: 'Zoë' } });

interface Sending {
  readonly id?: string;
  readonly secret?: string;
  readonly at?: Date;
}

/** The headers that the `standardwebhooks` library makes for a body. */
function headersFor(content: string, { id = 'msg_1', secret: own = secret, at = sentAt }: Sending = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(own).sign(id, at, content),
  };
}

const requestOf = (content: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
  new Request('https://shop.example/hooks', { method: 'POST', headers, body: content });

/** Verifies at the time of sending, or some seconds later. */
const verify = (
  request: Parameters<typeof verifyWebhook>[0],
  secrets: string | string[] = secret,
  secondsLater = 0,
) => verifyWebhook(request, secrets, { now: () => new Date(sentAt.getTime() + secondsLater * 1_000) });

async function codeOf(verified: Promise<unknown>): Promise<WebhookErrorCode> {
  const error: unknown = await verified.then(
    () => new Error('the webhook was accepted'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof WebhookVerificationError) return error.code;
  throw error;
}

describe('verifyWebhook accepts', () => {
  it('what the standardwebhooks library signed', async () => {
    const { id, timestamp, payload } = await verify(requestOf(body, headersFor(body)));
    expect({ id, timestamp, payload }).toEqual({ id: 'msg_1', timestamp: sentAt, payload: JSON.parse(body) });
  });

  it('the example of docs/webhooks.md with its secret, and no other body', async () => {
    const [, head = '', example = ''] = /```http\nPOST .*\n([^{]*?)\n\n({.*})\n```/.exec(DOCS) ?? [];
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ', 2)));
    const documented = /whsec_[A-Za-z\d+/]+=*/.exec(DOCS.replace('whsec_…', ''))?.[0] ?? '';
    const { id, payload } = await verify(requestOf(example, headers), documented, 1);
    expect(payload).toEqual(JSON.parse(example));
    expect(id).not.toBe((payload.data as { verificationId?: string }).verificationId);
    expect(await codeOf(verify(requestOf(`${example} `, headers), documented))).toBe('INVALID_SIGNATURE');
  });

  it('headers and raw body of node:http, as text or bytes, with names in any case', async () => {
    const { 'webhook-id': id, ...others } = headersFor(body);
    for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      const verified = await verify({ headers: { 'Webhook-Id': id, ...others, host: undefined }, body: raw });
      expect(verified.payload).toEqual(JSON.parse(body));
    }
    expect((await verify({ headers: new Headers(headersFor(body)), body })).id).toBe('msg_1');
  });

  it('a signature with any of several secrets, and one of several signatures', async () => {
    const headers = headersFor(body);
    expect((await verify(requestOf(body, headers), [foreign, secret])).id).toBe('msg_1');
    const other = headersFor(body, { secret: foreign })['webhook-signature'];
    const both = `v1a,AAAA v1,notbase64! ${other} ${headers['webhook-signature']} v2,${'A'.repeat(44)}`;
    expect((await verify(requestOf(body, { ...headers, 'webhook-signature': both }))).id).toBe('msg_1');
  });

  it.each([-300, 300])('a clock that is %d seconds off', async (seconds) => {
    expect((await verify(requestOf(body, headersFor(body)), secret, seconds)).id).toBe('msg_1');
  });

  it('the time of the system by default, and another tolerance', async () => {
    const now = headersFor(body, { at: new Date() });
    expect((await verifyWebhook(requestOf(body, now), secret)).id).toBe('msg_1');
    const options = { now: () => new Date(sentAt.getTime() + 5_000), toleranceSeconds: 4 };
    expect(await codeOf(verifyWebhook(requestOf(body, headersFor(body)), secret, options))).toBe(
      'TIMESTAMP_TOO_OLD',
    );
  });
});

describe('verifyWebhook refuses', () => {
  it('each changed byte of the body', async () => {
    const headers = headersFor(body);
    const bytes = new TextEncoder().encode(body);
    for (const index of bytes.keys()) {
      const changed = bytes.map((byte, position) => (position === index ? byte ^ 1 : byte));
      expect(await codeOf(verify(requestOf(changed, headers)))).toBe('INVALID_SIGNATURE');
    }
    expect(await codeOf(verify(requestOf(`\ufeff${body}`, headers)))).toBe('INVALID_SIGNATURE');
  });

  it('each changed character of the signature', async () => {
    const headers = headersFor(body);
    const signature = headers['webhook-signature'];
    for (let index = 'v1,'.length; index < signature.length; index++) {
      const other = signature[index] === 'A' ? 'B' : 'A';
      const changed = signature.slice(0, index) + other + signature.slice(index + 1);
      // The last two bits of the last character belong to no byte.
      if (Buffer.from(changed.slice(3), 'base64').equals(Buffer.from(signature.slice(3), 'base64'))) continue;
      expect(await codeOf(verify(requestOf(body, { ...headers, 'webhook-signature': changed })))).toBe(
        'INVALID_SIGNATURE',
      );
    }
  });

  it('another id or time than the signed one', async () => {
    const headers = headersFor(body);
    const later = String(Number(headers['webhook-timestamp']) + 1);
    expect(await codeOf(verify(requestOf(body, { ...headers, 'webhook-id': 'msg_2' })))).toBe('INVALID_SIGNATURE');
    expect(await codeOf(verify(requestOf(body, { ...headers, 'webhook-timestamp': later })))).toBe(
      'INVALID_SIGNATURE',
    );
  });

  it('a foreign secret', async () => {
    const request = requestOf(body, headersFor(body, { secret: foreign }));
    expect(await codeOf(verify(request, [secret, secretOf(9)]))).toBe('INVALID_SIGNATURE');
  });

  it.each([
    [301, 'TIMESTAMP_TOO_OLD'],
    [-301, 'TIMESTAMP_TOO_NEW'],
  ])('a rightly signed webhook after %d seconds: %s', async (seconds, code) => {
    expect(await codeOf(verify(requestOf(body, headersFor(body)), secret, seconds))).toBe(code);
  });

  it.each(['', 'v1,', 'v1', 'v1a,abc', 'garbage', `v1,${'A'.repeat(42)}`])(
    'the signature %j',
    async (signature) => {
      const code = await codeOf(verify(requestOf(body, { ...headersFor(body), 'webhook-signature': signature })));
      expect(code).toBe(signature === '' ? 'HEADERS_MISSING' : 'INVALID_SIGNATURE');
    },
  );

  it.each(['now', '-1', '1e9', '12.5', '9'.repeat(13)])('the timestamp %j', async (timestamp) => {
    const headers = { ...headersFor(body), 'webhook-timestamp': timestamp };
    expect(await codeOf(verify(requestOf(body, headers)))).toBe('INVALID_TIMESTAMP');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('a request without %s', async (name) => {
    const { [name as 'webhook-id']: _, ...headers } = headersFor(body);
    expect(await codeOf(verify({ headers, body }))).toBe('HEADERS_MISSING');
  });

  it.each(['not JSON', '[]', 'null', '"text"'])('the signed body %j, which is no JSON object', async (content) => {
    expect(await codeOf(verify(requestOf(content, headersFor(content))))).toBe('INVALID_PAYLOAD');
  });
});

describe('verifyWebhook explains wrong use', () => {
  it.each(['', 'abc', 'whsec_', 'whsec_?', `${secret}\n`, secret.replace('whsec_', '')])(
    'the secret %j',
    async (wrong) => {
      const call = verify(requestOf(body, headersFor(body)), [wrong]);
      await expect(call).rejects.toThrow(/^A secret is not whsec_ followed by base64/);
    },
  );

  it('no secrets', async () => {
    await expect(verify(requestOf(body, headersFor(body)), [])).rejects.toThrow(/^secrets is empty/);
  });

  it('a body that was read already, or parsed', async () => {
    const request = requestOf(body, headersFor(body));
    await request.text();
    await expect(verify(request)).rejects.toThrow(/^The body was read already/);
    const parsed = JSON.parse(body) as string;
    await expect(verify({ headers: headersFor(body), body: parsed })).rejects.toThrow(
      /^body is neither text nor bytes/,
    );
  });
});

it('the standardwebhooks library refuses what verifyWebhook refuses', () => {
  const headers = headersFor(body, { at: new Date() });
  const library = new Webhook(secret);
  expect(library.verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => library.verify(`${body} `, headers)).toThrow();
  expect(() => library.verify(body, headersFor(body))).toThrow();
  expect(() => new Webhook(foreign).verify(body, headers)).toThrow();
});
