import { expect, test } from 'vitest';
import { isConnectionLost, isOfServer, isRefusedForNow } from './faults.ts';

test('an error of the connection is none of the server, even if its code has five letters like an SQLSTATE', () => {
  const brokenPipe = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  expect(isOfServer(brokenPipe)).toBe(false);
  expect(isConnectionLost(brokenPipe)).toBe(true);
  expect(isRefusedForNow(brokenPipe)).toBe(false);
});
