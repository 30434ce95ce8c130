import { expect, it } from 'vitest';
import { givenConsole } from '../../test-support/console.ts';
import type { AnswerEntry } from './site.ts';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

async function givenLoggedConsole() {
  const entries: AnswerEntry[] = [];
  const given = await givenConsole({ onResponse: (entry) => void entries.push(entry) });
  return { given, entries, id: await given.submitted() };
}

it('a line about a verification has its id, and nothing else of its address', async () => {
  const { given, entries, id } = await givenLoggedConsole();
  const link = `/verify/${id}.token`;
  for (const path of [`/review/${id}`, `/review/${id}/approve`, `/verify/${id}`, link, '/review', '/review/ada']) {
    await given.get(path);
  }
  expect(entries.map(({ path, verificationId }) => [path, verificationId])).toEqual([
    ['/review/{id}', id],
    ['/review/{id}/approve', id],
    ['/verify/{id}', id],
    ['/verify/{reference}', id],
    ['/review', undefined],
    ['/review/{id}', undefined],
  ]);
  expect(JSON.stringify(entries)).not.toContain('token');
});

it('a line has the id that the caller gave its request', async () => {
  const { given, entries } = await givenLoggedConsole();
  await given.get('/review', null, { 'X-Request-Id': 'caller-1', traceparent: TRACE });
  await given.get('/review', null, { traceparent: TRACE });
  await given.get('/review', null, { 'X-Request-Id': 'ada@example.org' });
  const logged = entries.map(({ callerRequestId, requestId }) => [callerRequestId, requestId.length]);
  expect(logged).toEqual([
    ['caller-1', 24],
    [TRACE, 24],
    [undefined, 24],
  ]);
});
