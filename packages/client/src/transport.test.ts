import { describe, expect, it } from 'vitest';
import { clientAnswered, refusal } from '../test-support/api.ts';
import { errorOf } from '../test-support/errors.ts';
import { createClient } from './index.ts';

const html = (status: number) => () =>
  new Response('<html>Bad gateway</html>', { status, headers: { 'Content-Type': 'text/html' } });

/** Answers only when the request is aborted. */
const hanging = (request: Request) =>
  new Promise<Response>((_, reject) => {
    const onAbort = () => reject(request.signal.reason as Error);
    if (request.signal.aborted) onAbort();
    request.signal.addEventListener('abort', onAbort);
  });

describe('an answer that is not of the API', () => {
  it.each([
    ['a page in HTML with 200', html(200), 200],
    ['a page in HTML with 502', html(502), 502],
    ['JSON without the envelope', () => Response.json({ status: 'ok' }), 200],
    ['JSON that is not an object', () => Response.json([1]), 200],
    ['cut JSON', () => new Response('{"success":true,"da'), 200],
    ['nothing', () => new Response(null, { status: 204 }), 204],
    ['an error without a code', () => Response.json({ message: 'Forbidden' }, { status: 403 }), 403],
  ])('%s: INVALID_RESPONSE says what came and what to check', async (_, answer, status) => {
    const { client } = clientAnswered([answer], { maxRetries: 0 });
    const error = await errorOf(client.verifications.list());
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status });
    expect(error.message).toContain(`status ${status}`);
    expect(error.message).toContain('Check baseUrl');
  });

  it('an unknown code of a newer server is passed on with its data', async () => {
    const body = { success: false, error: 'New.', code: 'NEW_CODE', data: { more: 1 } };
    const { client } = clientAnswered([() => Response.json(body, { status: 409 })]);
    expect(await errorOf(client.verifications.list())).toMatchObject({ code: 'NEW_CODE', data: { more: 1 } });
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%d is refused and not repeated', async (status) => {
    const headers = { Location: 'https://evil.example/api/v1/verifications' };
    const { client, sent } = clientAnswered([() => new Response('moved', { status, headers })]);
    const error = await errorOf(client.verifications.create({ subjectType: 'kyc', subjectReference: 'user_1' }));
    expect(error).toMatchObject({ code: 'REDIRECT_REFUSED', status });
    expect(error.message).toContain('https://evil.example');
    expect(sent.map(({ redirect }) => redirect)).toEqual(['manual']);
  });
});

describe('time-outs and signals', () => {
  it('a server that does not answer: TIMEOUT', async () => {
    const client = createClient({
      baseUrl: 'https://a.example/api/v1',
      apiKey: 'csk_1',
      timeoutMs: 5,
      maxRetries: 0,
      fetch: hanging,
    });
    const error = await errorOf(client.verifications.list());
    expect(error).toMatchObject({ code: 'TIMEOUT', status: undefined });
    expect(error.message).toBe('https://a.example did not answer within 5 ms.');
  });

  it('a body that stops in the middle: TIMEOUT', async () => {
    const fetch = ({ signal }: Request) =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(new TextEncoder().encode('{"success":'));
            signal.addEventListener('abort', () => stream.error(signal.reason));
          },
        }),
      );
    const client = createClient({
      baseUrl: 'https://a.example/api/v1',
      apiKey: 'csk_1',
      timeoutMs: 5,
      maxRetries: 0,
      fetch,
    });
    expect((await errorOf(client.verifications.list())).code).toBe('TIMEOUT');
  });

  it('an aborted signal ends the call with its reason, and nothing is repeated', async () => {
    const controller = new AbortController();
    let requests = 0;
    const fetch = (request: Request) => {
      requests++;
      controller.abort(new Error('no longer needed'));
      return hanging(request);
    };
    const client = createClient({ baseUrl: 'https://a.example/api/v1', apiKey: 'csk_1', fetch });
    await expect(client.verifications.list({}, { signal: controller.signal })).rejects.toThrow('no longer needed');
    expect(requests).toBe(1);
  });

  it('a signal that was aborted before sends nothing', async () => {
    const { client, sent } = clientAnswered([() => refusal(401, 'INVALID_API_KEY')]);
    const call = client.verifications.create(
      { subjectType: 'kyc', subjectReference: 'user_1' },
      { signal: AbortSignal.abort() },
    );
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(sent).toEqual([]);
  });

  it('a lost connection names the origin, keeps the cause and not the key', async () => {
    const cause = new TypeError('fetch failed');
    const { client } = clientAnswered([() => Promise.reject(cause)], { maxRetries: 0 });
    const error = await errorOf(client.verifications.list());
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', cause });
    expect(error.message).toContain('https://verify.example');
    expect(`${error.message}${error.stack}`).not.toContain('csk_1');
  });
});
