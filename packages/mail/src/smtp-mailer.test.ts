import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { MailKind } from '@countersign/domain/mail';
import { createFixedClock } from '@countersign/memory';
import { LOCALHOST_CERTIFICATE } from '@countersign/test-support/servers/localhost-certificate';
import { decodeWords, type Refusal, startMailServer } from '@countersign/test-support/servers/mail-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contentOf, NOW } from '../test-support/contents.ts';
import {
  createSmtpMailer,
  type MailAttempt,
  type MailDeadlines,
  type MailServer,
  type SmtpMailer,
} from './index.ts';

const FROM = { name: 'Countersign', address: 'no-reply@verify.example' };
const LINK: MailKind = 'verification.link';
const CREDENTIALS = { user: 'ada', password: 'p@ss:word/%' };

/** A mailer on a port of this machine, and its attempts. It closes with the test. */
function mailerTo(
  port: number,
  {
    deadlines,
    from = FROM,
    ...more
  }: Partial<MailServer> & { deadlines?: Partial<MailDeadlines>; from?: typeof FROM } = {},
): { mailer: SmtpMailer; attempts: MailAttempt[] } {
  const attempts: MailAttempt[] = [];
  const server: MailServer = { host: 'localhost', port, encryption: 'none', credentials: null, ...more };
  const mailer = createSmtpMailer({
    server,
    from,
    clock: createFixedClock(NOW),
    deadlines,
    onAttempt: (attempt) => void attempts.push(attempt),
  });
  onTestFinished(() => mailer.close());
  return { mailer, attempts };
}

/** Starts a server that is none. */
async function startRawServer(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Trusts the certificate of `localhost` until the test ends, as `NODE_EXTRA_CA_CERTS` does. */
function trustLocalhost(): void {
  const trusted = getCACertificates();
  onTestFinished(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, LOCALHOST_CERTIFICATE]);
}

describe('a mail that is sent', () => {
  it('a mail that is sent has one sender, one recipient, plain text and HTML, and the headers of an automatic message', async () => {
    const server = await startMailServer();
    const { mailer, attempts } = mailerTo(server.port);
    const content = contentOf(LINK, { values: { clientName: 'Zoë & Söhne' } });
    expect(await mailer.send(content)).toEqual({ outcome: 'accepted' });

    const [mail] = server.received;
    expect(mail).toMatchObject({ from: 'no-reply@verify.example', to: ['ada@example.org'] });
    expect(mail?.parsed).toMatchObject({
      from: { name: 'Zoë & Söhne via Countersign', address: 'no-reply@verify.example' },
      to: [{ address: 'ada@example.org' }],
      subject: 'Zoë & Söhne asks you to verify your identity',
      messageId: `<${content.messageId}@verify.example>`,
      text: expect.stringContaining(content.values.url),
      html: expect.stringContaining('Zoë &amp; Söhne'),
    });
    const headers = Object.fromEntries(mail?.parsed.headers.map(({ key, value }) => [key, value]) ?? []);
    expect(Object.keys(headers).toSorted()).toEqual([
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
      'x-auto-response-suppress',
    ]);
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'content-type': /^multipart\/alternative;/,
    });
    expect(attempts).toEqual([{ mailId: content.messageId, kind: LINK, result: 'accepted', code: null }]);
  });

  it('a mail that is sent has a sender of each name, and replies go to the help address of the client', async () => {
    const server = await startMailServer();
    const { mailer } = mailerTo(server.port);
    const names = ['Ｗ'.repeat(60), 'شركة المرفأ', 'Smith, "Jones" & Söhne', 'Acme (Holding), Inc.', '"; drop'];
    for (const clientName of names)
      await mailer.send(contentOf(LINK, { values: { clientName, supportAddress: 'help@acme.example' } }));
    expect(server.received.map(({ parsed }) => parsed.from)).toEqual(
      names.map((name) => ({ name: `${name} via Countersign`, address: FROM.address })),
    );
    for (const { parsed, raw } of server.received) {
      expect(parsed.replyTo).toEqual([expect.objectContaining({ address: 'help@acme.example' })]);
      expect(raw).toMatch(/^From: [\x20-\x7e\r\n]+? <no-reply@verify\.example>\r$/m);
    }
  });

  it.each([
    'https://acme.example/help',
    'help@acme.example, eve@evil.example',
    'help@acme.example\r\nBcc: eve@evil.example',
  ])('a mail that is sent has no Reply-To for the help address %j', async (supportAddress) => {
    const server = await startMailServer();
    const { mailer } = mailerTo(server.port);
    await mailer.send(contentOf(LINK, { values: { supportAddress } }));
    expect(server.received.map(({ parsed }) => parsed.replyTo)).toEqual([undefined]);
    expect(server.received[0]?.parsed.headers.map(({ key }) => key)).not.toContain('bcc');
  });

  it('a mail that is sent has the same Message-ID each time', async () => {
    const server = await startMailServer();
    const { mailer } = mailerTo(server.port);
    await mailer.send(contentOf(LINK));
    await mailer.send(contentOf(LINK));
    const ids = server.received.map(({ parsed }) => parsed.messageId);
    expect(ids).toEqual(Array(2).fill('<018f6f2e-0000-7000-8000-000000000001@verify.example>'));
  });

  it('five together share five connections with those that follow', async () => {
    const server = await startMailServer();
    const { mailer } = mailerTo(server.port);
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 5 }, async () => mailer.send(contentOf(LINK))));
    }
    expect(server.received).toHaveLength(20);
    expect(server.connections()).toBeLessThanOrEqual(5);
  });
});

describe('no other header, recipient or part can be written', () => {
  const lines = 'Acme\r\nBcc: eve@evil.example\r\nContent-Type: text/html\r\n\r\n<b>x</b>';

  it.each([
    ['the name of the client', contentOf(LINK, { values: { clientName: lines } }), FROM],
    ['the name of the sender', contentOf(LINK), { ...FROM, name: lines }],
    ['a list in the name of the sender', contentOf(LINK), { ...FROM, name: 'a@evil.example, b@evil.example' }],
    ['the id', { ...contentOf(LINK), messageId: `x>\r\nBcc: eve@evil.example\r\nX: <` }, FROM],
  ])('no other header, recipient or part can be written with %s', async (_, content, from) => {
    const server = await startMailServer();
    const { mailer } = mailerTo(server.port, { from });
    await mailer.send(content);
    const [mail] = server.received;
    expect(mail?.to).toEqual(['ada@example.org']);
    const keys = mail?.parsed.headers.map(({ key }) => key) ?? [];
    expect(keys).toHaveLength(9);
    expect(keys).not.toContain('bcc');
    expect(mail?.parsed.to).toEqual([expect.objectContaining({ address: 'ada@example.org' })]);
    expect(mail?.parsed.from?.address).toBe(FROM.address);
    // The lines of the text may begin with anything.
    expect(mail?.raw.split('\r\n\r\n', 1)[0]).not.toMatch(/^bcc:/im);
  });

  it('no other header, recipient or part can be written with an encoded word in the name of the client: it is shown as it is stored', async () => {
    const server = await startMailServer();
    const { mailer } = mailerTo(server.port);
    const names = [
      '=?utf-8?Q?https=3A//evil.example?=',
      // A line break, and a control of direction.
      '=?utf-8?q?Acme=0D=0ABcc=3A_eve=40evil.example?=',
      '=?UTF-8?B?4oCuQWNtZQ==?=',
      '=?utf-8?Q?https=3A//ev?= =?utf-8?Q?il.example?=',
      '=?utf-8*en?Q?https=3A//evil.example?=',
      'Zoë=?utf-8?Q?https=3A//evil.example?=ü',
      // An encoded word in an encoded word.
      '=?utf-8?B?PT91dGYtOD9RP2V2aWwuZXhhbXBsZT89?=',
    ];
    for (const clientName of names) await mailer.send(contentOf(LINK, { values: { clientName } }));
    const subjects = server.received.map(({ parsed }) => parsed.subject ?? '');
    const expected = names.map((name) => `${name} asks you to verify your identity`);
    // To a mail program that decodes once, and to one that decodes twice.
    for (const shown of [subjects, subjects.map(decodeWords)])
      expect(shown.map((subject) => subject.replaceAll('\u2060', ''))).toEqual(expected);
  });

  it.each(['a@example.org, b@example.org', 'a@example.org\r\nRCPT TO:<b@example.org>', 'Ada <a@example.org>'])(
    'no other header, recipient or part can be written with the address %j',
    async (to) => {
      const server = await startMailServer();
      const { mailer } = mailerTo(server.port);
      // The core refuses such an address when it is given.
      expect(await mailer.send(contentOf(LINK, { to }))).toEqual({ outcome: 'refused', permanent: true });
      expect(server.connections()).toBe(0);
    },
  );
});

describe('encryption', () => {
  it.each(['tls', 'starttls'] as const)('%s: a certificate is verified', async (encryption) => {
    const server = await startMailServer({ encryption, credentials: CREDENTIALS });
    const first = mailerTo(server.port, { encryption, credentials: CREDENTIALS });
    expect(await first.mailer.send(contentOf(LINK))).toEqual({ outcome: 'unavailable' });
    expect(first.attempts).toMatchObject([{ result: 'encryption' }]);
    expect(server.received).toEqual([]);

    trustLocalhost();
    const { mailer } = mailerTo(server.port, { encryption, credentials: CREDENTIALS });
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'accepted' });
    expect(server.received).toMatchObject([{ isEncrypted: true }]);
  });

  it('starttls: nothing is sent to a server without it', async () => {
    const server = await startMailServer();
    const { mailer, attempts } = mailerTo(server.port, { encryption: 'starttls' });
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'unavailable' });
    expect(attempts).toMatchObject([{ result: 'encryption' }]);
    expect(server.received).toEqual([]);
  });
});

describe('refusals', () => {
  it.each<[Refusal, MailAttempt['result'], unknown]>([
    [{ at: 'to', code: 550, text: '5.1.1 no such user' }, 'refused', { outcome: 'refused', permanent: true }],
    [{ at: 'data', code: 554, text: '5.6.0 looks like spam' }, 'refused', { outcome: 'refused', permanent: true }],
    [{ at: 'to', code: 554, text: '5.7.1 relaying denied' }, 'deferred', { outcome: 'refused', permanent: false }],
    [{ at: 'to', code: 450, text: '4.2.0 greylisted' }, 'deferred', { outcome: 'refused', permanent: false }],
    [{ at: 'data', code: 451 }, 'deferred', { outcome: 'refused', permanent: false }],
    [{ at: 'to', code: 421 }, 'unreachable', { outcome: 'unavailable' }],
    [{ at: 'from', code: 550, text: '5.1.8 sender unknown' }, 'sender', { outcome: 'unavailable' }],
    [{ at: 'from', code: 530, text: '5.7.0 sign in first' }, 'sign_in', { outcome: 'unavailable' }],
    [{ at: 'connect', code: 554 }, 'unreachable', { outcome: 'unavailable' }],
    [{ at: 'connect', code: 421 }, 'unreachable', { outcome: 'unavailable' }],
  ])('%o counts as %s', async (refusal, result, outcome) => {
    const server = await startMailServer();
    server.refusal = refusal;
    const { mailer, attempts } = mailerTo(server.port);
    expect(await mailer.send(contentOf(LINK))).toEqual(outcome);
    expect(attempts).toMatchObject([{ result, code: refusal.code }]);
    expect(JSON.stringify(attempts)).not.toContain('@');
  });

  it.each([
    ['a wrong password', { user: 'ada', password: 'wrong' }, 535, 'sign_in'],
    ['an account that is locked for now', CREDENTIALS, 454, 'unreachable'],
  ] as const)('%s: all mails wait', async (_, credentials, code, result) => {
    const server = await startMailServer({ credentials: CREDENTIALS });
    if (code === 454) server.refusal = { at: 'auth', code };
    const { mailer, attempts } = mailerTo(server.port, { credentials });
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'unavailable' });
    expect(attempts).toMatchObject([{ result, code }]);
    expect(await mailer.check()).toEqual({ failure: result, code });
  });
});

describe('a server that does not answer', () => {
  it('a mail server that is down and comes back: the mail is sent', async () => {
    const { port, stop } = await startMailServer();
    await stop();
    const { mailer, attempts } = mailerTo(port);
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'unavailable' });
    expect(await mailer.check()).toEqual({ failure: 'unreachable', code: null });
    const server = await startMailServer({ port });
    expect(await mailer.check()).toBeNull();
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'accepted' });
    expect(attempts.map(({ result }) => result)).toEqual(['unreachable', 'accepted']);
    expect(server.received).toHaveLength(1);
  });

  it('never greets: ends at the deadline of the connection', async () => {
    const port = await startRawServer(() => undefined);
    const { mailer, attempts } = mailerTo(port, { deadlines: { connectMs: 200 } });
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'unavailable' });
    expect(attempts).toMatchObject([{ result: 'unreachable' }]);
  });

  it('never answers a mail: ends at the deadline of an answer, and does not hold up the others', async () => {
    const server = await startMailServer();
    server.beforeAnswer = () => new Promise(() => undefined);
    const { mailer, attempts } = mailerTo(server.port, { deadlines: { answerMs: 300 } });
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'refused', permanent: false });
    expect(attempts).toMatchObject([{ result: 'no_answer' }]);
    server.beforeAnswer = async () => undefined;
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'accepted' });
  });

  it('drips its answer: ends at the deadline of the attempt', async () => {
    const port = await startRawServer((socket) => {
      socket.write('220 hello\r\n');
      socket.once('data', () => {
        const timer = setInterval(() => socket.write('2'), 20);
        socket.on('close', () => clearInterval(timer));
      });
    });
    const { mailer, attempts } = mailerTo(port, { deadlines: { attemptMs: 500 } });
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'refused', permanent: false });
    expect(attempts).toMatchObject([{ result: 'no_answer' }]);
  });

  it('a server that is no mail server: nothing is sent', async () => {
    const port = await startRawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const { mailer } = mailerTo(port);
    expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'unavailable' });
  });
});

it('close ends attempts as unavailable, and those that begin later', async () => {
  const server = await startMailServer();
  const { mailer } = mailerTo(server.port);
  server.beforeAnswer = async () => {
    mailer.close();
    await new Promise(() => undefined);
  };
  expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'unavailable' });
  expect(await mailer.send(contentOf(LINK))).toEqual({ outcome: 'unavailable' });
});
