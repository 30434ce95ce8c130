import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { CountersignApiError, createClient } from '@countersign/client';
import { type GivenClient, givenClientOf } from '@countersign/test-support/installation/operator';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: ServerProcess;
let given: GivenClient;
const standIns: Server[] = [];

beforeAll(async () => {
  server = await startServer();
  given = await givenClientOf(server);
});

afterAll(() => {
  for (const standIn of standIns) standIn.close();
});

/** Starts something that answers in place of the server, and returns its base URL. */
async function standIn(listener: RequestListener): Promise<string> {
  const started = createServer(listener);
  standIns.push(started);
  await new Promise<void>((resolve) => {
    started.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/api/v1`;
}

async function errorOf(call: Promise<unknown>): Promise<CountersignApiError> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (error instanceof CountersignApiError) return error;
  throw new Error(`no CountersignApiError: ${String(error)}`);
}

describe('the typed client against a running server', () => {
  it('creates, reads, lists and iterates', async () => {
    const client = createClient({ baseUrl: server.baseUrl, apiKey: given.key });
    const created = await client.verifications.create({
      subjectType: 'kyc',
      subjectReference: 'user_1',
      metadata: { note: 'Zoë' },
    });
    await client.verifications.create({ subjectType: 'kyb', subjectReference: 'company_1' });

    const read = await client.verifications.get(created.id);
    expect(read).toMatchObject({ ...created, metadata: { note: 'Zoë' } });
    const details = await client.verifications.details(created.id);
    expect(details.history.map(({ status }) => status)).toEqual(['pending']);
    expect((await client.verifications.list({ type: 'kyc' })).verifications).toEqual([read]);
    const names: string[] = [];
    for await (const { subjectReference } of client.verifications.listAll({ limit: 1 })) {
      names.push(subjectReference);
    }
    expect(names).toEqual(['user_1', 'company_1']);
  });

  it('throws 409 with the verification that stands in the way, and 401', async () => {
    const client = createClient({ baseUrl: server.baseUrl, apiKey: given.key });
    const person = { subjectType: 'kyc', subjectReference: 'user_2' } as const;
    const { id } = await client.verifications.create(person);
    const duplicate = await errorOf(client.verifications.create(person));
    expect(duplicate).toMatchObject({ status: 409, data: { verificationId: id, status: 'pending' } });
    expect(duplicate.requestId).toMatch(/^[\w-]{20,}$/);

    const stranger = createClient({ baseUrl: server.baseUrl, apiKey: `csk_${'0'.repeat(64)}` });
    expect(await errorOf(stranger.verifications.list())).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
  });

  it('a creation whose answer is lost is made once', async () => {
    const keys: unknown[] = [];
    const relay = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      keys.push(incoming.headers['idempotency-key']);
      const answer = await fetch(`${server.baseUrl}/verifications`, {
        method: 'POST',
        headers: incoming.headers as Record<string, string>,
        body: incoming,
        duplex: 'half',
      });
      const text = await answer.text();
      if (keys.length === 1) outgoing.destroy();
      else outgoing.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text);
    };
    const baseUrl = await standIn((incoming, outgoing) => void relay(incoming, outgoing));
    const client = createClient({ baseUrl, apiKey: given.key });
    const { id } = await client.verifications.create({ subjectType: 'kyc', subjectReference: 'user_3' });
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    const direct = createClient({ baseUrl: server.baseUrl, apiKey: given.key });
    const { verifications } = await direct.verifications.list({ subjectReference: 'user_3' });
    expect(verifications.map((one) => one.id)).toEqual([id]);
  });

  it('follows no redirect: the other address sees neither request nor key', async () => {
    let requests = 0;
    const elsewhere = await standIn((_, outgoing) => {
      requests++;
      outgoing.end('{}');
    });
    const baseUrl = await standIn((_, outgoing) => {
      outgoing.writeHead(307, { Location: `${elsewhere}/verifications` }).end();
    });
    const client = createClient({ baseUrl, apiKey: given.key });
    const error = await errorOf(client.verifications.list());
    expect(error).toMatchObject({ code: 'REDIRECT_REFUSED', status: 307 });
    expect(requests).toBe(0);
  });

  it('a base URL that leads to a page, or to nothing, gets an error that names it', async () => {
    const page = createClient({ baseUrl: `${server.origin}/verify`, apiKey: given.key, maxRetries: 0 });
    expect((await errorOf(page.verifications.list())).code).toBe('INVALID_RESPONSE');
    const baseUrl = await standIn(() => undefined);
    standIns.at(-1)?.close();
    const nothing = createClient({ baseUrl, apiKey: given.key, maxRetries: 0 });
    const error = await errorOf(nothing.verifications.list());
    expect(error.code).toBe('CONNECTION_FAILED');
    expect(error.message).toContain(new URL(baseUrl).origin);
  });
});
