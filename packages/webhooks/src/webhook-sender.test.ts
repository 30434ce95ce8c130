import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { verifyWebhook, WebhookVerificationError } from '@countersign/client';
import { LOCALHOST_CERTIFICATE } from '@countersign/test-support/servers/localhost-certificate';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { messageTo, secretOf } from '../test-support/messages.ts';
import { type Received, startRawReceiver, startReceiver } from '../test-support/receiver.ts';
import { createWebhookSender, type WebhookSenderOptions } from './index.ts';

/** A sender that may connect to this machine. */
const senderHere = (options: WebhookSenderOptions = {}) =>
  createWebhookSender({ allowedNetworks: ['127.0.0.0/8', '::1'], ...options });

const urlOf = ({ port }: { port: number }, path = '/hooks') => `http://localhost:${port}${path}`;

async function onlyOne(list: readonly Received[]): Promise<Received> {
  expect(list).toHaveLength(1);
  return list[0] as Received;
}

describe('send', () => {
  it('sends one signed POST that the typed client and the standardwebhooks library verify', async () => {
    const receiver = await startReceiver();
    const message = messageTo(urlOf(receiver, '/hooks?tenant=7'), { secrets: [secretOf(1), secretOf(2)] });
    expect(await senderHere().send(message)).toEqual({
      status: 204,
      verdict: 'accepted',
      retryAfterSeconds: null,
      text: '',
      fault: null,
      durationMs: expect.any(Number),
    });
    const { path, headers, body } = await onlyOne(receiver.received);
    expect({ path, body }).toEqual({ path: '/hooks?tenant=7', body: message.body });
    expect(headers).toMatchObject({
      host: `localhost:${receiver.port}`,
      'content-type': 'application/json',
      'user-agent': 'Countersign',
      'webhook-id': 'event-1',
    });
    for (const secret of message.secrets) {
      expect((await verifyWebhook({ headers, body }, secret)).id).toBe('event-1');
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    }
  });

  it('adds headers that are made for each request, and keeps its own', async () => {
    const receiver = await startReceiver();
    const numbers = ['1', '2'].values();
    const sender = senderHere({
      moreHeaders: () => ({ 'x-request-number': String(numbers.next().value), 'user-agent': 'other' }),
    });
    await sender.send(messageTo(urlOf(receiver)));
    await sender.send(messageTo(urlOf(receiver)));
    expect(receiver.received.map(({ headers }) => [headers['x-request-number'], headers['user-agent']])).toEqual([
      ['1', 'Countersign'],
      ['2', 'Countersign'],
    ]);
  });

  it('signs so that a changed byte, a foreign secret and an old timestamp are refused', async () => {
    const receiver = await startReceiver();
    await senderHere().send(messageTo(urlOf(receiver)));
    const { headers, body } = await onlyOne(receiver.received);
    const library = new Webhook(secretOf(7));
    for (let index = 0; index < body.length; index++) {
      const changed = Buffer.from(body);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => library.verify(changed, headers as Record<string, string>)).toThrow();
      await expect(verifyWebhook({ headers, body: changed }, secretOf(7))).rejects.toThrow(
        WebhookVerificationError,
      );
    }
    await expect(verifyWebhook({ headers, body }, secretOf(8))).rejects.toThrow(WebhookVerificationError);
    const later = () => new Date(Date.now() + 301_000);
    await expect(verifyWebhook({ headers, body }, secretOf(7), { now: later })).rejects.toThrow('too long ago');
  });

  it.each([
    ['7', 7],
    [' 120 ', 120],
    ['Sun, 01 Mar 2026 10:01:00 GMT', 60],
    ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
    ['-5', null],
    ['1.5', null],
    ['2027', 2027],
    ['soon', null],
    ['2026-03-01T10:01:00Z', null],
    ['9'.repeat(40), null],
  ])('reads Retry-After: %s', async (value, seconds) => {
    const receiver = await startReceiver((_, response) => response.writeHead(503, { 'retry-after': value }).end());
    const at = new Date('2026-03-01T10:00:00Z');
    expect(await senderHere().send(messageTo(urlOf(receiver), { at }))).toMatchObject({
      status: 503,
      retryAfterSeconds: seconds,
    });
  });

  it('send does not follow a redirect', async () => {
    const target = await startReceiver();
    const receiver = await startReceiver((_, response) => {
      response.writeHead(307, { location: urlOf(target) }).end('moved');
    });
    expect(await senderHere().send(messageTo(urlOf(receiver)))).toMatchObject({ status: 307, text: 'moved' });
    expect(target.connections()).toBe(0);
  });

  it('verifies the certificate of an https:// receiver', async () => {
    const receiver = await startReceiver(undefined, { tls: true });
    const url = `https://localhost:${receiver.port}/`;
    const { status, fault } = await senderHere().send(messageTo(url));
    expect({ status, fault }).toEqual({ status: null, fault: expect.stringMatching(/^The TLS certificate/) });
    expect(receiver.received).toEqual([]);

    const trusted = getCACertificates();
    onTestFinished(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([...trusted, LOCALHOST_CERTIFICATE]);
    expect(await senderHere().send(messageTo(url))).toMatchObject({ status: 204, fault: null });
    expect(receiver.received).toHaveLength(1);
  });

  it('close ends requests that are under way', async () => {
    const sender = senderHere();
    const receiver = await startReceiver(() => sender.close());
    const { fault } = await sender.send(messageTo(urlOf(receiver)));
    expect(fault).toBe('The server stopped before the receiver responded.');
  });
});

describe('send to a receiver that misbehaves', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\n';
  const soon = { deadlineMs: 300 };

  it('send to a receiver that never responds: ends at the deadline', async () => {
    const receiver = await startRawReceiver(() => undefined);
    const { status, text, fault } = await senderHere(soon).send(messageTo(urlOf(receiver)));
    expect({ status, text, fault }).toEqual({
      status: null,
      text: null,
      fault: 'The receiver did not respond within 0.3 seconds.',
    });
    await expect.poll(receiver.openConnections).toBe(0);
  });

  it('send to a receiver that drips its head, or sends 1xx without end: ends at the deadline', async () => {
    for (const drop of ['x', 'HTTP/1.1 102 Processing\r\n\r\n']) {
      const receiver = await startRawReceiver((socket) => {
        if (drop === 'x') socket.write(`${HEAD}x-`);
        const timer = setInterval(() => socket.write(drop), 10);
        socket.on('close', () => clearInterval(timer));
      });
      const { fault } = await senderHere(soon).send(messageTo(urlOf(receiver)));
      expect(fault).toMatch(/did not respond within/);
    }
  });

  it('send to a receiver that drips its body: the status counts, with the text until the deadline', async () => {
    const receiver = await startRawReceiver((socket) => socket.write(`${HEAD}content-length: 9\r\n\r\nslow`));
    expect(await senderHere(soon).send(messageTo(urlOf(receiver)))).toMatchObject({ status: 200, text: 'slow' });
    await expect.poll(receiver.openConnections).toBe(0);
  });

  it('send to a receiver that responds without end: reads 2 kB and closes the connection', async () => {
    let sent = 0;
    const receiver = await startRawReceiver((socket) => {
      const flood = () => {
        while (socket.writable && socket.write('a'.repeat(65_536))) sent += 65_536;
      };
      socket.on('drain', flood);
      socket.write(`${HEAD}content-length: ${10 * 1_024 ** 3}\r\n\r\n`);
      flood();
    });
    const { status, text } = await senderHere().send(messageTo(urlOf(receiver)));
    expect({ status, text }).toEqual({ status: 200, text: 'a'.repeat(2_048) });
    await expect.poll(receiver.openConnections).toBe(0);
    expect(sent).toBeLessThan(50 * 1_024 ** 2);
  });

  it('send to a receiver that responds compressed, though it was asked not to: does not decompress', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1_024 ** 2));
    const receiver = await startReceiver((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const { status, text } = await senderHere().send(messageTo(urlOf(receiver)));
    expect(status).toBe(200);
    expect(text?.length).toBeLessThanOrEqual(2_048);
    expect((await onlyOne(receiver.received)).headers['accept-encoding']).toBe('identity');
  });

  it('send to a receiver that responds with bytes which no log can hold: keeps well-formed text without control characters', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a\0b\x1b[31m\u202e\n'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('ü'),
    ]);
    const receiver = await startReceiver((_, response) => response.writeHead(500).end(bytes));
    const { text } = await senderHere().send(messageTo(urlOf(receiver)));
    expect(text).toBe('a�b�[31m�\n���ü');
    expect(text?.isWellFormed()).toBe(true);
    const cut = await startReceiver((_, response) => response.end(`${'a'.repeat(2_047)}ü`));
    expect((await senderHere().send(messageTo(urlOf(cut)))).text).toBe('a'.repeat(2_047));
  });

  it.each<[string, string | null, string]>([
    ['that resets the connection', null, 'The receiver closed the connection before it responded.'],
    ['that closes it in the head', `${HEAD}x-half: `, 'The receiver closed the connection before it responded.'],
    ['that speaks no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'The response is not valid HTTP.'],
    ['with a head of 20 kB', `${HEAD}x: ${'a'.repeat(20_000)}\r\n\r\n`, 'The head of the response is too large.'],
    ['with 10,000 headers', `${HEAD}${'x: 1\r\n'.repeat(10_000)}\r\n`, 'The head of the response is too large.'],
  ])('%s', async (_, bytes, sentence) => {
    const receiver = await startRawReceiver((socket) => {
      if (bytes === null) socket.resetAndDestroy();
      else socket.end(bytes);
    });
    const { status, text, fault } = await senderHere().send(messageTo(urlOf(receiver)));
    expect({ status, text, fault }).toEqual({ status: null, text: null, fault: sentence });
  });

  it('send to a receiver that resets in the body: the status counts', async () => {
    const receiver = await startRawReceiver((socket) => {
      socket.write(`${HEAD}content-length: 9\r\n\r\nhalf`, () => socket.resetAndDestroy());
    });
    expect(await senderHere().send(messageTo(urlOf(receiver)))).toMatchObject({ status: 200, fault: null });
  });

  it('send to a receiver that switches protocols: 101 is its response', async () => {
    const receiver = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    });
    expect(await senderHere(soon).send(messageTo(urlOf(receiver)))).toMatchObject({ status: 101, fault: null });
    await expect.poll(receiver.openConnections).toBe(0);
  });

  it('send to a receiver that listens no longer', async () => {
    const { fault } = await senderHere().send(messageTo('http://127.0.0.1:1/'));
    expect(fault).toBe('The receiver refused the connection.');
  });
});
