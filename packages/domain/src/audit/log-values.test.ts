import { expect, test } from 'vitest';
import { callerRequestId, loggedId } from './log-values.ts';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test.each([
  ['X-Request-Id', 'order-1001', undefined, 'order-1001'],
  ['X-Request-Id before traceparent', 'a.b_C-9', TRACE, 'a.b_C-9'],
  ['traceparent', undefined, TRACE, TRACE],
  ['traceparent beside an invalid X-Request-Id', 'two words', TRACE, TRACE],
  ['64 characters', 'x'.repeat(64), undefined, 'x'.repeat(64)],
  ['no header', undefined, undefined, undefined],
  ['65 characters', 'x'.repeat(65), undefined, undefined],
  ['an empty text', '', undefined, undefined],
  ['a line break', 'a\nb', undefined, undefined],
  ['a final line break', 'a\n', undefined, undefined],
  ['an e-mail address', 'ada@example.org', undefined, undefined],
  ['an invalid traceparent', undefined, '00 {}', undefined],
])('callerRequestId: %s', (_what, requestId, traceparent, expected) => {
  expect(callerRequestId({ requestId, traceparent })).toBe(expected);
});

test.each([
  ['01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602', true],
  ['01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602\n', false],
  ['01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602.token', false],
  ['ada@example.org', false],
  ['', false],
  [undefined, false],
])('loggedId(%j): kept %s', (text, isKept) => {
  expect(loggedId(text)).toBe(isKept ? text : undefined);
});
