import { describe, expect, it } from 'vitest';
import { protocolErrorCode } from './errors.ts';
import { errorResponse } from './responses.ts';

const rateLimit = { allowed: true, limit: 100, remaining: 7, resetAt: new Date('2026-01-15T12:00:00.001Z') };

describe('errorResponse', () => {
  it.each([
    ['BAD_REQUEST', 400],
    ['REQUEST_TIMEOUT', 408],
    ['REQUEST_HEADER_FIELDS_TOO_LARGE', 431],
    ['NOT_FOUND', 404],
  ] as const)('%s: %i in the envelope, with the headers of the API', (code, status) => {
    const answer = errorResponse(code, { requestId: 'request-1', rateLimit });
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

  it('leaves the rate limit headers out when the request was not counted', () => {
    const { headers } = errorResponse('NOT_FOUND', { requestId: 'request-1' });
    expect(headers).not.toHaveProperty('X-RateLimit-Limit');
  });

  it('RATE_LIMIT_EXCEEDED: Retry-After and the text give the seconds until the window ends, rounded up', () => {
    const now = () => new Date('2026-01-15T11:59:48.000Z');
    const { body, headers } = errorResponse('RATE_LIMIT_EXCEEDED', { requestId: 'request-1', rateLimit, now });
    expect(headers['Retry-After']).toBe('13');
    expect(JSON.parse(body)).toMatchObject({ error: 'Rate limit exceeded. Try again in 13 s.' });
  });

  it('RATE_LIMIT_EXCEEDED: Retry-After is at least 1 after the end of the window', () => {
    const now = () => new Date('2026-01-15T12:01:00.000Z');
    const { headers } = errorResponse('RATE_LIMIT_EXCEEDED', { requestId: 'request-1', rateLimit, now });
    expect(headers['Retry-After']).toBe('1');
  });

  it('adds the data and headers of the occurrence, and issues without their codes', () => {
    const data = { issues: [{ path: 'page', message: 'is required', code: 'required' }] } as const;
    const values = { issues: 'page is required' };
    const details = { data, values, headers: { Allow: 'GET' } };
    const { body, headers } = errorResponse('INVALID_PARAMETERS', { requestId: 'request-1', rateLimit }, details);
    expect(JSON.parse(body)).toEqual({
      success: false,
      error: 'page is required',
      code: 'INVALID_PARAMETERS',
      data: { issues: [{ path: 'page', message: 'is required' }] },
    });
    expect(headers.Allow).toBe('GET');
  });
});

describe('protocolErrorCode', () => {
  it.each([
    ['HPE_HEADER_OVERFLOW', 'REQUEST_HEADER_FIELDS_TOO_LARGE'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'PAYLOAD_TOO_LARGE'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 'REQUEST_TIMEOUT'],
    ['HPE_INVALID_METHOD', 'BAD_REQUEST'],
    [undefined, 'BAD_REQUEST'],
  ])('maps %s to %s', (nodeErrorCode, code) => {
    expect(protocolErrorCode(nodeErrorCode)).toBe(code);
  });
});
