import { expect, it } from 'vitest';
import { newBackupCodes, normalBackupCode } from './backup-codes.ts';

it('backup codes: ten different ones without characters that look alike', () => {
  for (let times = 0; times < 50; times++) {
    const codes = newBackupCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-z]{5}-[2-9a-z]{5}$/);
    expect(codes.join('')).not.toMatch(/[01oil]/);
  }
});

it.each(['k7mqp-2xw9d', 'K7MQP-2XW9D', 'k7mqp2xw9d', ' k7mqp – 2xw9d '])(
  'backup codes: %j is read as typed',
  (typed) => {
    expect(normalBackupCode(typed)).toBe('k7mqp-2xw9d');
  },
);

it.each(['', '123456', 'k7mqp-2xw9', 'k7mqp-2xw9d4', '漢'.repeat(10)])(
  'backup codes: %j stays as it is',
  (typed) => {
    expect(normalBackupCode(typed)).toBe(typed);
  },
);
