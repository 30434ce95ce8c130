import { describe, expect, it } from 'vitest';
import { errorAnswer, protocolErrorCode } from './error-answer.ts';

const rateLimit = { allowed: true, limit: 100, remaining: 7, resetAt: new Date('2026-01-15T12:00:00.001Z') };

describe('errorAnswer', () => {
  it.each([
    ['BAD_REQUEST', 400],
    ['REQUEST_TIMEOUT', 408],
    ['REQUEST_HEADER_FIELDS_TOO_LARGE', 431],
    ['NOT_FOUND', 404],
  ] as const)('%s is %i in the envelope, with the headers of the API', (code, status) => {
    const answer = errorAnswer(code, { requestId: 'request-1', rateLimit });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      success: false,
      error: expect.stringMatching(/\S/) as string,
      code,
    });
    expect(answer.headers).toEqual({
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': 'request-1',
      'X-RateLimit-Limit': '100',
      'X-RateLimit-Remaining': '7',
      'X-RateLimit-Reset': '1768478401',
    });
  });

  it('says what it is told to say', () => {
    const { body, headers } = errorAnswer('NOT_FOUND', { requestId: 'request-1', message: 'No such page' });
    expect(JSON.parse(body)).toMatchObject({ error: 'No such page' });
    expect(headers).not.toHaveProperty('X-RateLimit-Limit');
  });
});

describe('protocolErrorCode', () => {
  it.each([
    ['HPE_HEADER_OVERFLOW', 'REQUEST_HEADER_FIELDS_TOO_LARGE'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'PAYLOAD_TOO_LARGE'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 'REQUEST_TIMEOUT'],
    ['HPE_INVALID_METHOD', 'BAD_REQUEST'],
    [undefined, 'BAD_REQUEST'],
  ])('%s is %s', (nodeErrorCode, code) => {
    expect(protocolErrorCode(nodeErrorCode)).toBe(code);
  });
});
