import { describe, expect, it } from 'vitest';
import { hashOfCode, isCode, newExportCode } from './export-code.ts';

const secrets = {
  sign: (text: string) => `hash of ${text}`,
  verify: (text: string, hash: string) => hash === `hash of ${text}`,
};
const codeOf = (hex: string): string => newExportCode({ randomHex: () => hex });

describe('newExportCode', () => {
  it('writes 50 random bits as ten characters that are not easily misread', () => {
    expect(codeOf('00000000000000')).toBe('00000-00000');
    expect(codeOf('ffffffffffffff')).toBe('ZZZZZ-ZZZZZ');
    expect(codeOf('0000000000000a')).toBe('A0000-00000');
    expect(codeOf('02000000000000')).toBe('00000-0000G');
  });

  it('asks for enough bits, and uses every character of the alphabet', () => {
    const asked: number[] = [];
    const randomHex = (bytes: number): string => {
      asked.push(bytes);
      return '00';
    };
    newExportCode({ randomHex });
    expect(asked).toEqual([7]);
    const characters = Array.from({ length: 32 }, (_, n) => codeOf(n.toString(16)).charAt(0));
    expect(characters.join('')).toBe('0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  });
});

describe('isCode', () => {
  const code = '01A11-ZZZZZ';
  const stored = { exportId: 'export-1', codeHash: hashOfCode(secrets, 'export-1', code) };

  it.each([
    code,
    '01A11ZZZZZ',
    '01a11-zzzzz',
    ' 01 A11 – ZZZZZ\n',
    'OIA1L-ZZZZZ',
    'olA1i-zzzzz',
    '01A11\u2011ZZZZZ',
  ])('accepts %j', (entered) => {
    expect(isCode(secrets, stored, entered)).toBe(true);
  });

  it.each(['', '-', '01A11-ZZZZ', '01A11-ZZZZZZ', '01A12-ZZZZZ', '01A11_ZZZZZ'])('refuses %j', (entered) => {
    expect(isCode(secrets, stored, entered)).toBe(false);
  });

  it('refuses the code of another export', () => {
    expect(isCode(secrets, { ...stored, exportId: 'export-2' }, code)).toBe(false);
  });
});
