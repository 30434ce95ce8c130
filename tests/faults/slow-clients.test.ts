// Waits until requests that never end reach their deadline.
import { setTimeout as pause } from 'node:timers/promises';
import { createApiClient, expectRefusal, kindsOf, newSubject } from '@countersign/test-support/api/api-client';
import { openConnection } from '@countersign/test-support/api/raw-connection';
import { tallyOf } from '@countersign/test-support/installation/database-file';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { startServer } from '@countersign/test-support/processes/server-process';
import { describe, expect, it } from 'vitest';

describe('clients that never finish a request', () => {
  it('get 408 in the envelope, and other clients are served meanwhile', async () => {
    const server = await startServer();
    const { clientId, key } = await givenClientOf(server);
    const api = createApiClient(server.baseUrl, key);
    const request = 'POST /api/v1/verifications HTTP/1.1\r\nHost: x\r\n';
    const withBody = `${request}X-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
    const beginnings = [
      // Seconds until the response: 5 for headers, 10 for the whole request, checked once a second; three times as long on a busy machine.
      { text: request, drip: 'X-Slow: yes\r\n', within: 21 },
      { text: request.slice(0, 5), drip: '', within: 21 },
      { text: `${withBody}Content-Length: 1000\r\n\r\n{`, drip: ' ', within: 36 },
      { text: `${withBody}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, drip: '1\r\n \r\n', within: 36 },
    ];

    const slow = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const beginning = beginnings[n % beginnings.length] as (typeof beginnings)[number];
        const connection = await openConnection(server);
        connection.send(beginning.text);
        const begun = performance.now();
        // Sending a few bytes at intervals does not extend the time limit.
        const dripping = setInterval(() => beginning.drip && connection.send(beginning.drip), 700);
        const answer = connection.answer.finally(() => clearInterval(dripping));
        return {
          ...beginning,
          ended: answer.then((response) => ({ response, took: (performance.now() - begun) / 1000 })),
        };
      }),
    );

    // Meanwhile other clients are served.
    let over = false;
    const all = Promise.all(slow.map(({ ended }) => ended)).finally(() => {
      over = true;
    });
    const others = [];
    while (!over) {
      const begun = performance.now();
      const answers = [await api.get(), await api.get('/verifications/unknown')];
      expect(kindsOf(answers)).toEqual({ '200': 1, '404 VERIFICATION_NOT_FOUND': 1 });
      others.push((performance.now() - begun) / 2);
      await pause(20);
    }

    await all;
    for (const { within, ended } of slow) {
      const { response, took } = await ended;
      expectRefusal(response, 408, 'REQUEST_TIMEOUT');
      expect(response.headers.get('connection')).toBe('close');
      expect(took).toBeLessThan(within);
    }
    expect(Math.max(...others)).toBeLessThan(3_000);
    expect(tallyOf(server.databaseFile, clientId).rows).toBe(0);
    expect((await api.post(newSubject('user_1'))).status).toBe(201);
    console.info(
      `slow clients: ${others.length * 2} requests of others meanwhile, the slowest pair ${Math.round(Math.max(...others) * 2)} ms`,
    );
  });
});
