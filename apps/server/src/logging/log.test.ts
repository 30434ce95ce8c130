import { VerificationFault } from '@countersign/domain';
import { EvidenceFault } from '@countersign/domain/evidence';
import { UnreadableVerificationError } from '@countersign/domain/storage';
import { SealingError } from '@countersign/sealing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogLevel } from '../config/settings.ts';
import { createLog, type Log } from './log.ts';

function logInto(level: LogLevel = 'info'): {
  log: Log;
  text: () => string;
  entries: () => Record<string, unknown>[];
} {
  let text = '';
  const log = createLog({ level, output: { write: (line) => (text += line) } });
  const written = () => {
    log.flush();
    return text;
  };
  const entries = () =>
    written()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log, text: written, entries };
}

const line = { requestId: 'r1', method: 'GET', path: '/verifications/{id}', status: 200, durationMs: 1.25 };

test('log.request: writes one JSON line with the listed fields', () => {
  const { log, entries } = logInto();

  const ids = { callerRequestId: 'caller-1', traceId: 't1', verificationId: 'v1', clientId: 'c1', keyId: 'k1' };
  log.request({ ...line, durationMs: 1.2500004, ...ids, code: 'NOT_FOUND' });

  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const named = { ...line, ...ids, code: 'NOT_FOUND' };
  expect(entries()).toEqual([{ level: 'info', time, msg: 'request', ...named }]);
});

test('log: drops every other property of an entry', () => {
  const { log, text } = logInto('trace');
  const extra = {
    key: 'csk_canary',
    token: 'canary',
    subjectReference: 'canary',
    headers: { 'x-api-key': 'canary' },
  };

  log.request({ ...line, ...extra });
  log.healthCheck({ ...line, ...extra });
  log.fault(new Error('x'), { ...line, ...extra });
  log.event('listening', { port: 1, ...extra });
  log.warning('slow', { waitedMs: 1, ...extra });

  expect(text().trimEnd().split('\n')).toHaveLength(5);
  expect(text()).not.toContain('canary');
});

test('log.fault: writes type, code and stack of a fault and its causes, without messages', () => {
  const { log, text, entries } = logInto();
  const cause = Object.assign(new TypeError('Unexpected token in "canary"\n    at canary line'), {
    code: 'SQLITE_FULL',
  });

  const request = { requestId: 'r1', callerRequestId: 'caller-1', traceId: 't1', verificationId: 'v1' };
  log.fault(new Error('params: canary', { cause }), request);

  const place = expect.stringMatching(/^at .*log\.test\.ts:\d+:\d+/);
  expect(entries()[0]).toMatchObject({
    level: 'error',
    ...request,
    error: { type: 'Error', stack: place, cause: { type: 'TypeError', code: 'SQLITE_FULL', stack: place } },
  });
  expect(text()).not.toContain('canary');
});

test('log.fault: writes the verification, the file and the endpoint of our own faults, and of no other fault', () => {
  const { log, text, entries } = logInto();
  const sealed = new SealingError('DAMAGED', 'The answers: canary', { verificationId: 'verification-1' });

  log.fault(sealed);
  log.fault(new Error('x', { cause: sealed }));
  log.fault(Object.assign(new Error('x'), { verificationId: 'canary' }));
  log.fault(new SealingError('ROTATION_INCOMPLETE', 'canary'));
  log.fault(new EvidenceFault('FILE_MISSING', { verificationId: 'verification-1', fileId: 'file-1' }));
  log.fault(new UnreadableVerificationError('verification-1', new Error('canary')));
  log.fault(new VerificationFault('canary', { endpointId: 'endpoint-1', cause: sealed }));

  const logged = { type: 'SealingError', code: 'DAMAGED', verificationId: 'verification-1' };
  const missing = {
    type: 'EvidenceFault',
    code: 'FILE_MISSING',
    verificationId: 'verification-1',
    fileId: 'file-1',
  };
  const unreadable = { type: 'UnreadableVerificationError', verificationId: 'verification-1' };
  expect(entries()).toMatchObject([
    { error: logged },
    { error: { cause: logged } },
    {},
    {},
    { error: missing },
    { error: unreadable },
    { error: { type: 'VerificationFault', endpointId: 'endpoint-1', cause: logged } },
  ]);
  expect(entries()[2]?.error).not.toHaveProperty('verificationId');
  expect(entries()[3]?.error).not.toHaveProperty('verificationId');
  expect(text()).not.toContain('canary');
});

test('log.fault: does not quote a thrown value that is no error', () => {
  const { log, text } = logInto();
  log.fault('canary');
  log.fatal({ canary: 'canary' });
  expect(text()).toContain('"type":"string"');
  expect(text()).not.toContain('canary');
});

test('log.healthCheck: writes at level debug only', () => {
  const info = logInto('info');
  const debug = logInto('debug');
  info.log.healthCheck(line);
  debug.log.healthCheck(line);
  expect(info.text()).toBe('');
  expect(debug.entries()).toHaveLength(1);
});

test('log: level silent writes nothing', () => {
  const { log, text } = logInto('silent');
  log.fatal(new Error('x'));
  expect(text()).toBe('');
});

describe('log: lines of requests', () => {
  const first = new Date('2026-01-15T12:00:00.000Z');

  beforeEach(() => vi.useFakeTimers({ now: first }));
  afterEach(() => vi.useRealTimers());

  function logLines(): { log: Log; lines: Record<string, unknown>[] } {
    const lines: Record<string, unknown>[] = [];
    const write = (text: string) => void lines.push(JSON.parse(text) as Record<string, unknown>);
    return { log: createLog({ level: 'info', output: { write } }), lines };
  }

  test('are buffered and keep the time of the request', () => {
    const { log, lines } = logLines();
    log.request(line);
    expect(lines).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(lines).toMatchObject([{ time: first.toISOString(), msg: 'request' }]);
  });

  test('are written when the buffer is full', () => {
    const { log, lines } = logLines();
    for (let index = 0; index < 300; index++) log.request(line);
    expect(lines).toHaveLength(256);
  });

  test('are written before later entries', () => {
    const { log, lines } = logLines();
    log.request(line);
    vi.setSystemTime(first.getTime() + 7);
    log.event('stopping');
    expect(lines).toMatchObject([
      { msg: 'request', time: '2026-01-15T12:00:00.000Z' },
      { msg: 'stopping', time: '2026-01-15T12:00:00.007Z' },
    ]);
  });
});
