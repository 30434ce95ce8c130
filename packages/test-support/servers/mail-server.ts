import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import { LOCALHOST_PEM } from './localhost-certificate.ts';

export { decodeWords } from 'postal-mime';

/** A mail as the server got it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Header and text, as transmitted. */
  readonly raw: string;
  readonly isEncrypted: boolean;
  /** The same, decoded. */
  readonly parsed: Email;
}

/** A reply of the server to a command. */
export interface Refusal {
  readonly at: 'connect' | 'auth' | 'from' | 'to' | 'data';
  readonly code: number;
  /** `{to}` is replaced by the recipient. */
  readonly text?: string;
  /** Only for this recipient. */
  readonly to?: string;
}

export interface MailServerOptions {
  /** Default: none. */
  readonly encryption?: 'tls' | 'starttls' | 'none';
  readonly credentials?: { readonly user: string; readonly password: string };
  /** A free one without it. */
  readonly port?: number;
  /** Whether it ends with the process instead of the test: for servers that a hook starts. */
  readonly outlivesTest?: boolean;
}

export interface TestMailServer {
  readonly port: number;
  /** Mails that it accepted, oldest first. */
  readonly received: ReceivedMail[];
  /** Recipients that it refused. */
  readonly refused: ReadonlySet<string>;
  /** What it refuses from now on; null: nothing. */
  refusal: Refusal | null;
  /** Resolves before it answers a mail. */
  beforeAnswer: () => Promise<unknown>;
  connections(): number;
  stop(): Promise<void>;
}

/** Starts a mail server. It stops with the test, or before. */
export async function startMailServer({
  encryption = 'none',
  credentials,
  port: wanted = 0,
  outlivesTest = false,
}: MailServerOptions = {}): Promise<TestMailServer> {
  let connections = 0;
  const refused = new Set<string>();
  let stopped: Promise<void> | undefined;

  function refusalAt(at: Refusal['at'], address?: string): Error | undefined {
    const { refusal } = server;
    if (refusal?.at !== at || (refusal.to !== undefined && refusal.to !== address)) return undefined;
    const text = (refusal.text ?? 'refused').replace('{to}', address ?? '');
    return Object.assign(new Error(text), { responseCode: refusal.code });
  }

  const settings: SMTPServerOptions = {
    key: LOCALHOST_PEM,
    cert: LOCALHOST_PEM,
    secure: encryption === 'tls',
    hideSTARTTLS: encryption !== 'starttls',
    authOptional: credentials === undefined,
    disabledCommands: credentials === undefined ? ['AUTH'] : [],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect(_, callback) {
      connections += 1;
      callback(refusalAt('connect'));
    },
    onAuth({ username, password }, _, callback) {
      const isRight = username === credentials?.user && password === credentials?.password;
      const error = refusalAt('auth') ?? (isRight ? null : new Error('wrong user or password'));
      callback(error, isRight ? { user: username } : undefined);
    },
    onMailFrom({ address }, _, callback) {
      callback(refusalAt('from', address));
    },
    onRcptTo({ address }, _, callback) {
      const error = refusalAt('to', address);
      if (error !== undefined) refused.add(address);
      callback(error);
    },
    onData(stream, session, callback) {
      const { mailFrom, rcptTo } = session.envelope;
      async function receive(): Promise<void> {
        const bytes = await buffer(stream);
        await server.beforeAnswer();
        const error = refusalAt('data');
        if (error !== undefined) throw error;
        server.received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: bytes.toString(),
          isEncrypted: session.secure,
          parsed: await PostalMime.parse(bytes),
        });
      }
      receive().then(
        () => callback(null),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    },
  };
  const smtp = new SMTPServer(settings);
  // Clients that end a connection early.
  smtp.on('error', () => undefined);
  const listening = smtp.listen(wanted, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    listening.once('listening', () => resolve());
    listening.once('error', reject);
  });
  const { port } = listening.address() as AddressInfo;
  const server: TestMailServer = {
    port,
    received: [],
    refused,
    refusal: null,
    beforeAnswer: async () => undefined,
    connections: () => connections,
    stop() {
      stopped ??= new Promise((resolve) => smtp.close(resolve));
      return stopped;
    },
  };
  if (outlivesTest) listening.unref();
  else onTestFinished(server.stop);
  return server;
}
