import { describe, expect, it } from 'vitest';
import { apiKeyState, isKeyFormat, keyDisplay, PERMISSIONS, requirePermission } from './api-key.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const before = new Date(now.getTime() - 1);
const after = new Date(now.getTime() + 1);

describe('a key', () => {
  it.each([
    ['never expires', { expiresAt: null, revokedAt: null }, 'active'],
    ['expires in a millisecond', { expiresAt: after, revokedAt: null }, 'active'],
    ['expires now', { expiresAt: now, revokedAt: null }, 'expired'],
    ['was revoked', { expiresAt: after, revokedAt: before }, 'revoked'],
    ['was revoked and has expired since', { expiresAt: before, revokedAt: before }, 'revoked'],
  ])('a key that %s', (_what, key, state) => {
    expect(apiKeyState(key, now)).toBe(state);
  });

  it('newKeyValue: csk_ and 64 lower-case hexadecimal characters', () => {
    const hex = '0123456789abcdef'.repeat(4);
    expect(isKeyFormat(`csk_${hex}`)).toBe(true);
    for (const other of [hex, `csk_${hex.toUpperCase()}`, `csk_${hex}0`, `csk_${hex}\n`, `sk_${hex}`, '']) {
      expect(isKeyFormat(other)).toBe(false);
    }
  });

  it('keyDisplay: only the first and last characters', () => {
    expect(keyDisplay(`csk_ab12${'0'.repeat(56)}cd34`)).toBe('csk_ab12…cd34');
  });
});

describe('permissions', () => {
  it.each(PERMISSIONS)('%s grants itself, and * grants all', (granted) => {
    const allows = (needed: 'verifications:create' | 'verifications:read') => {
      try {
        requirePermission([granted], needed);
        return true;
      } catch {
        return false;
      }
    };
    expect(allows('verifications:create')).toBe(granted !== 'verifications:read');
    expect(allows('verifications:read')).toBe(granted !== 'verifications:create');
  });

  it('requirePermission: an empty list grants nothing', () => {
    const attempt = () => requirePermission([], 'verifications:read');
    expect(attempt).toThrow(
      expect.objectContaining({ code: 'INSUFFICIENT_PERMISSIONS', message: 'Insufficient permissions' }),
    );
  });
});
