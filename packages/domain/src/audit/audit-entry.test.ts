import { expect, test } from 'vitest';
import { isAuditAction, parseAuditAction } from './audit-entry.ts';

test.each(['api_keys.create', 'a.b', `${'a'.repeat(30)}.${'b'.repeat(30)}`])('%s is an action', (action) => {
  expect(isAuditAction(action)).toBe(true);
  expect(parseAuditAction(action)).toBe(action);
});

test.each([
  'create',
  'api_keys.',
  '.create',
  'api-keys.create',
  'API_KEYS.create',
  'api_keys.create.now',
  ' api_keys.create',
  'api_keys.create\n',
  `${'a'.repeat(31)}.b`,
  `a.${'b'.repeat(31)}`,
  '',
  null,
  ['api_keys.create'],
])('%j is no action', (value) => {
  expect(isAuditAction(value)).toBe(false);
  expect(() => parseAuditAction(value)).toThrow('unknown action');
});
