import { describe, expect, it } from 'vitest';
import { clientAnswered, givenApi, refusal } from '../test-support/api.ts';
import { errorOf } from '../test-support/errors.ts';
import { createClient } from './index.ts';

const person = (subjectReference = 'user_1') => ({ subjectType: 'kyc', subjectReference }) as const;

const methodsOf = (sent: readonly Request[]) => sent.map(({ method }) => method);

describe('createClient with a mode', () => {
  it.each([
    ['test', 'live'],
    ['live', 'test'],
  ] as const)(
    '%s with a key of %s mode: the first write is refused after one GET, and sends nothing',
    async (mode, keyMode) => {
      const { client, sent } = await givenApi({ options: { mode }, keyMode });
      const error = await errorOf(client.verifications.create(person()));
      expect(error).toMatchObject({ code: 'WRONG_MODE', status: undefined });
      expect(error.message).toContain(`key is of ${keyMode} mode`);
      expect(error.message).toContain(`Use a key of ${mode} mode`);
      for (const write of [client.verifications.withdraw('some-id'), client.verifications.eraseData('some-id')]) {
        expect((await errorOf(write)).code).toBe('WRONG_MODE');
      }
      expect(methodsOf(sent)).toEqual(['GET']);
    },
  );

  it('the mode of the key: one GET before the first write, and none later', async () => {
    const { client, sent } = await givenApi({ options: { mode: 'test' }, keyMode: 'test' });
    await Promise.all([
      client.verifications.create(person('user_1')),
      client.verifications.create(person('user_2')),
    ]);
    const { id } = await client.verifications.create(person('user_3'));
    await client.verifications.withdraw(id);
    expect(methodsOf(sent)).toEqual(['GET', 'POST', 'POST', 'POST', 'POST']);
  });

  it('a read before the first write names the mode, and no other GET is sent', async () => {
    const { client, sent } = await givenApi({ options: { mode: 'test' }, keyMode: 'test' });
    await client.verifications.list();
    await client.verifications.create(person());
    expect(methodsOf(sent)).toEqual(['GET', 'POST']);
  });

  it('a key that may not read: the refusal of the GET names the mode', async () => {
    const newKey = { permissions: ['verifications:create'] } as const;
    const { client, sent } = await givenApi({ options: { mode: 'test' }, keyMode: 'test', newKey });
    await client.verifications.create(person());
    expect(methodsOf(sent)).toEqual(['GET', 'POST']);
  });

  it('an unknown key: the call throws the error of the GET, and the next call sends it again', async () => {
    const { client, sent } = clientAnswered([() => refusal(401, 'INVALID_API_KEY')], { mode: 'test' });
    for (const expected of [1, 2]) {
      expect((await errorOf(client.verifications.create(person()))).code).toBe('INVALID_API_KEY');
      expect(methodsOf(sent)).toEqual(Array.from({ length: expected }, () => 'GET'));
    }
  });

  it('a server without test mode: its keys count as keys of live mode', async () => {
    const { client } = clientAnswered([() => Response.json({ success: true, data: {} })], { mode: 'test' });
    expect((await errorOf(client.verifications.create(person()))).code).toBe('WRONG_MODE');
  });

  it('a call that is aborted while the mode is read ends with the reason of its signal', async () => {
    const abort = new AbortController();
    const answer = Promise.withResolvers<Response>();
    const { client, sent } = clientAnswered(
      [
        () => {
          abort.abort(new Error('enough'));
          return answer.promise;
        },
      ],
      { mode: 'test' },
    );
    await expect(client.verifications.create(person(), { signal: abort.signal })).rejects.toThrow('enough');
    answer.resolve(Response.json({ success: true, data: {} }, { headers: { 'X-Countersign-Mode': 'test' } }));
    expect(methodsOf(sent)).toEqual(['GET']);
  });

  it('without a mode, nothing is checked', async () => {
    const { client, sent } = await givenApi();
    await client.verifications.create(person());
    expect(methodsOf(sent)).toEqual(['POST']);
  });

  it('an unknown mode is refused when the client is made', () => {
    const mode = 'sandbox' as never;
    expect(() => createClient({ baseUrl: 'https://a.example/api/v1', apiKey: 'csk_1', mode })).toThrow(
      'mode must be live or test.',
    );
  });
});
