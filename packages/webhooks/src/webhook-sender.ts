import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import {
  WEBHOOK_DEADLINE_MS,
  type WebhookMessage,
  type WebhookResponse,
  type WebhookSender,
} from '@countersign/domain/webhooks';
import { Webhook } from 'standardwebhooks';
import { parseNetworks } from './address-filter.ts';
import { faultSentence, noResponseWithin, SendFault, STOPPED, URL_NOT_VALID } from './faults.ts';
import { createGuard, hostOf } from './guarded-agent.ts';
import { createResolveName, type ResolveName } from './resolve.ts';
import { readResponse, retryAfterSeconds, verdictOf } from './response.ts';

/** The most bytes of a response's head. */
const HEAD_BYTES = 16 * 1_024;

/** Options of `createWebhookSender`. */
export interface WebhookSenderOptions {
  /** Networks inside, in CIDR notation, that may receive webhooks, by `http://` too. Default: none. */
  readonly allowedNetworks?: readonly string[] | undefined;
  /** Whether `http://` is allowed for public addresses, too. For development. Default: false. */
  readonly allowHttp?: boolean | undefined;
  /** The `User-Agent` of requests. Default: `Countersign`. */
  readonly userAgent?: string | undefined;
  /** Makes further headers of a request when it begins. They do not replace the sender's own. Default: none. */
  readonly moreHeaders?: (() => Readonly<Record<string, string>>) | undefined;
  /** Default: 15 seconds. */
  readonly deadlineMs?: number | undefined;
  /** Returns the addresses of a host name. Default: asks the name servers of the system. */
  readonly resolveName?: ResolveName | undefined;
}

/** Sends webhooks over HTTP. */
export interface HttpWebhookSender extends WebhookSender {
  /** Ends the requests that are under way. */
  close(): void;
}

/** A response whose status was received. */
type Received = Pick<WebhookResponse, 'status' | 'verdict' | 'retryAfterSeconds' | 'text'>;

/**
 * Creates a sender of webhooks by the Standard Webhooks specification. Connects to public addresses only, and to
 * `allowedNetworks`. Does not follow redirects. Reads the first 2 kB of a response.
 * @throws TypeError if a network is invalid
 *
 * @example
 * const sender = createWebhookSender({ allowedNetworks: ['10.20.0.0/16'] });
 * const { status, fault } = await sender.send({ id: 'evt_1', url, body: '{}', secrets: ['whsec_…'], at: new Date() });
 */
export function createWebhookSender({
  allowedNetworks = [],
  allowHttp = false,
  userAgent = 'Countersign',
  moreHeaders = () => ({}),
  deadlineMs = WEBHOOK_DEADLINE_MS,
  resolveName = createResolveName(),
}: WebhookSenderOptions = {}): HttpWebhookSender {
  const networks = allowedNetworks.flatMap(parseNetworks);
  const connectionTo = createGuard({ allowedNetworks: networks, allowHttp, resolveName });
  const underWay = new Set<ClientRequest>();

  /** @throws SendFault */
  function begin(message: WebhookMessage): ClientRequest {
    const url = parseUrl(message.url);
    const body = Buffer.from(message.body);
    const request = (url.protocol === 'https:' ? https : http).request({
      ...connectionTo(url),
      method: 'POST',
      host: hostOf(url),
      port: url.port,
      path: url.pathname + url.search,
      maxHeaderSize: HEAD_BYTES,
      headers: {
        ...moreHeaders(),
        'accept-encoding': 'identity',
        'content-length': body.length,
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...signatureHeaders(message),
      },
    });
    underWay.add(request);
    request.on('close', () => underWay.delete(request));
    request.end(body);
    return request;
  }

  async function responseTo(message: WebhookMessage): Promise<Received> {
    const request = begin(message);
    let ended: (() => void) | undefined;
    const timer = setTimeout(() => (ended ?? fail)(), deadlineMs);
    const fail = () => request.destroy(new SendFault(noResponseWithin(deadlineMs)));
    try {
      const response = await headOf(request);
      const { text, done } = readResponse(response);
      await Promise.race([done, new Promise<void>((resolve) => (ended = resolve))]);
      const retryAfter = retryAfterSeconds(response.headers['retry-after'], message.at);
      const status = response.statusCode ?? null;
      return { status, verdict: verdictOf(status), retryAfterSeconds: retryAfter, text: text() };
    } finally {
      clearTimeout(timer);
      request.destroy();
    }
  }

  return {
    async send(message) {
      const startedAt = performance.now();
      const response = await responseTo(message).catch((error: unknown): Received & { readonly fault: string } => {
        return {
          status: null,
          verdict: 'failed',
          retryAfterSeconds: null,
          text: null,
          fault: faultSentence(error),
        };
      });
      return { fault: null, ...response, durationMs: Math.round(performance.now() - startedAt) };
    },
    close() {
      for (const request of underWay) request.destroy(new SendFault(STOPPED));
    },
  };
}

/** Resolves with the head of the response. A switch of protocols is a response without a body. */
function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    request.on('error', reject);
  });
}

/** @throws SendFault */
function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new SendFault(URL_NOT_VALID);
  return url;
}

function signatureHeaders({ id, at, body, secrets }: WebhookMessage): Readonly<Record<string, string>> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
