import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** The first arrival of a webhook. */
export interface Arrival {
  readonly eventId: string;
  readonly verificationId: string;
  readonly sequence: number;
  /** From the time of the event to the arrival. */
  readonly delayMs: number;
}

export interface HealthyReceiver {
  readonly url: string;
  /** First arrivals by event id, in their order. */
  readonly arrivals: ReadonlyMap<string, Arrival>;
  /** Webhooks that arrived again. */
  repeated(): number;
  /** Events that arrived before they could be read from the database. */
  readonly tooEarly: readonly string[];
}

/** Starts a receiver that asks for each new event whether it is committed. It closes with the test. */
export async function startHealthyReceiver(
  isCommitted: (eventId: string) => boolean | Promise<boolean>,
): Promise<HealthyReceiver> {
  const arrivals = new Map<string, Arrival>();
  const tooEarly: string[] = [];
  let repeated = 0;

  async function receive(eventId: string, body: string): Promise<void> {
    const arrivedAt = Date.now();
    if (arrivals.has(eventId)) {
      repeated += 1;
      return;
    }
    const { timestamp, data } = JSON.parse(body) as {
      timestamp: string;
      data: { verificationId: string; sequence: number };
    };
    arrivals.set(eventId, { eventId, ...data, delayMs: arrivedAt - Date.parse(timestamp) });
    if (!(await isCommitted(eventId))) tooEarly.push(eventId);
  }

  const url = await listen((request, response) => {
    text(request)
      .then((body) => receive(String(request.headers['webhook-id']), body))
      .then(
        () => response.writeHead(204).end(),
        () => response.writeHead(500).end(),
      );
  });
  return { url, arrivals, tooEarly, repeated: () => repeated };
}

/** A request as it arrived. */
export interface RecordedWebhook {
  readonly eventId: string;
  readonly request: Request;
  readonly body: string;
}

export interface RecordingReceiver {
  readonly url: string;
  /** Its answer from now on. Default 204. */
  status: number;
  /** Requests in the order of their arrival, repeated ones included. */
  readonly webhooks: readonly RecordedWebhook[];
}

/** Starts a receiver that keeps each request. It closes with the test. */
export async function startRecordingReceiver(): Promise<RecordingReceiver> {
  const webhooks: RecordedWebhook[] = [];

  async function record(incoming: IncomingMessage): Promise<void> {
    const body = await text(incoming);
    const headers = incoming.headers as Record<string, string>;
    const method = incoming.method ?? '';
    const request = new Request(`http://receiver${incoming.url}`, { method, headers, body });
    webhooks.push({ eventId: headers['webhook-id'] ?? '', request, body });
  }

  const receiver = { url: '', status: 204, webhooks };
  receiver.url = await listen((incoming, response) => {
    record(incoming).then(
      () => response.writeHead(receiver.status).end(),
      () => response.writeHead(500).end(),
    );
  });
  return receiver;
}

/** Starts a receiver that answers after a time. @returns its URL */
export function startSlowReceiver(afterMs: number): Promise<string> {
  return listen((request, response) => {
    request.resume();
    setTimeout(() => response.writeHead(204).end(), afterMs);
  });
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}
