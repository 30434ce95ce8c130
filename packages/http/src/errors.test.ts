import { readFileSync } from 'node:fs';
import { ERROR_MESSAGES, type ErrorCode } from '@countersign/domain';
import { expect, it } from 'vitest';
import { errorTableMarkdown } from '../test-support/error-table.ts';
import { ERRORS, messageOf } from './errors.ts';

it.each([
  ['API_KEY_REQUIRED', 'API key is required. Provide it in X-API-Key header.'],
  ['INVALID_API_KEY', 'Invalid API key'],
  ['API_KEY_EXPIRED', 'API key has expired'],
  ['API_KEY_REVOKED', 'API key has been revoked'],
  ['INSUFFICIENT_PERMISSIONS', 'Insufficient permissions'],
] as const)('%s has the text that the interface quotes', (code, text) => {
  expect(messageOf(code)).toBe(text);
});

it('every code has a status from 400 to 599 and a text, and a meaning in sentences if the API answers it', () => {
  for (const [code, { status, message, meaning, coreOnly }] of Object.entries(ERRORS)) {
    expect(status, code).toBeGreaterThanOrEqual(400);
    expect(status, code).toBeLessThan(600);
    expect(message, code).toMatch(/\S/);
    if (coreOnly !== true) expect(meaning, code).toMatch(/^[A-Z`].*\.$/);
  }
});

it("the domain's codes have the domain's messages, except where a value of the request fills the text", () => {
  const codes = Object.keys(ERROR_MESSAGES) as ErrorCode[];
  const others = codes.filter((code) => ERRORS[code].message !== ERROR_MESSAGES[code]);
  expect(others.toSorted()).toEqual(['INVALID_PARAMETERS', 'RATE_LIMIT_EXCEEDED']);
  for (const code of others) expect(ERRORS[code].message, code).toMatch(/\{\w+\}/);
});

it('messageOf: fills in values and takes the text of a reason', () => {
  expect(messageOf('RATE_LIMIT_EXCEEDED', { values: { seconds: 7 } })).toBe(
    'Rate limit exceeded. Try again in 7 s.',
  );
  expect(messageOf('INVALID_JSON', { reason: 'repeated_key', values: { key: '"$&"' } })).toBe(
    'Request body has the key "$&" twice in one object. Send each key once.',
  );
  expect(messageOf('NOT_FOUND', { reason: 'body_empty' })).toBe(messageOf('NOT_FOUND'));
});

it('the Markdown table has one row for each code that the API answers, ordered by status', () => {
  const rows = errorTableMarkdown().split('\n').slice(2, -1);
  const answered = Object.values(ERRORS).filter(({ coreOnly }) => coreOnly !== true);
  expect(rows).toHaveLength(answered.length);
  expect(rows[0]).toBe(
    '| 400 | `BAD_REQUEST` | `Request is not valid HTTP. Check the request line and the headers.`<br>`Request body ended too early. Send the request again.` | The request is not valid HTTP, or its body ended early. |',
  );
  expect(rows.at(-1)).toContain('| 503 | `SERVICE_UNAVAILABLE` |');
});

it('docs/api.md contains every row of the table of errors', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');
  const rows = errorTableMarkdown().split('\n').slice(2, -1);
  expect(rows.filter((row) => !page.includes(row.replaceAll(/ +/g, ' ')))).toEqual([]);
});
