import { describe, expect, it } from 'vitest';
import { createNodeSecrets } from './index.ts';

const older = new Uint8Array(32).fill(1);
const newer = new Uint8Array(32).fill(2);

describe('createNodeSecrets', () => {
  it('hashes like SHA-256 of the UTF-8 text (FIPS 180-2, appendix B.1)', () => {
    expect(createNodeSecrets([newer]).sha256('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('signs with HMAC-SHA256 (RFC 4231, test case 6 has a long key; here case 1 padded to 32 bytes)', () => {
    const key = Buffer.concat([Buffer.alloc(20, 0x0b), Buffer.alloc(12)]);
    expect(Buffer.from(createNodeSecrets([key]).sign('Hi There'), 'base64url').toString('hex')).toBe(
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    );
  });

  it('gives other random text each time, of the length asked for', () => {
    const secrets = createNodeSecrets([newer]);
    expect(Buffer.from(secrets.randomBase64(32), 'base64')).toHaveLength(32);
    const first = secrets.randomHex(32);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(secrets.randomHex(32)).not.toBe(first);
  });

  it('verifies what an older secret of the ring signed, and signs with the newest', () => {
    const rotated = createNodeSecrets([newer, older]);
    expect(rotated.verify('text', createNodeSecrets([older]).sign('text'))).toBe(true);
    expect(createNodeSecrets([newer]).verify('text', rotated.sign('text'))).toBe(true);
    expect(createNodeSecrets([newer]).verify('text', createNodeSecrets([older]).sign('text'))).toBe(false);
  });

  it.each(['', 'x', '====', 'é', 'a'.repeat(10_000)])('refuses the signature %j', (signature) => {
    expect(createNodeSecrets([newer]).verify('text', signature)).toBe(false);
  });

  it('accepts only the canonical spelling of a signature', () => {
    const secrets = createNodeSecrets([newer]);
    const signature = secrets.sign('text');
    expect(secrets.verify('text', signature)).toBe(true);
    expect(secrets.verify('text', `${signature}=`)).toBe(false);
    expect(secrets.verify('text', ` ${signature}`)).toBe(false);
  });

  it('refuses an empty ring and a short secret', () => {
    expect(() => createNodeSecrets([])).toThrow(RangeError);
    expect(() => createNodeSecrets([newer, new Uint8Array(31)])).toThrow('at least 32 bytes');
  });
});
