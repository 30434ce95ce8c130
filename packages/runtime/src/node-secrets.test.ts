import { createHmac, hkdfSync } from 'node:crypto';
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

  it('opens what it sealed, also with an older secret of the ring, and hides the content', () => {
    const content = new TextEncoder().encode('Zoë typed this');
    const sealed = createNodeSecrets([older]).seal(content, 'a form');
    expect(Buffer.from(createNodeSecrets([newer, older]).open(sealed, 'a form') ?? []).toString()).toBe(
      'Zoë typed this',
    );
    expect(createNodeSecrets([newer]).open(sealed, 'a form')).toBeNull();
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('typed');
    expect(createNodeSecrets([older]).seal(content, 'a form')).not.toBe(sealed);
  });

  it('opens nothing that was changed, spelled otherwise or sealed for another purpose', () => {
    const secrets = createNodeSecrets([newer]);
    const sealed = secrets.seal(new Uint8Array(20), 'a form');
    expect(secrets.open(sealed, 'another form')).toBeNull();
    expect(secrets.open(`${sealed}=`, 'a form')).toBeNull();
    for (const bad of ['', 'x', 'é', 'a'.repeat(38), 'a'.repeat(10_000)])
      expect(secrets.open(bad, 'a form')).toBeNull();
    const bytes = Buffer.from(sealed, 'base64url');
    for (let at = 0; at < bytes.byteLength; at += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(secrets.open(changed.toString('base64url'), 'a form')).toBeNull();
    }
  });

  it('labels with HMAC-SHA256 by a key of the purpose from HKDF-SHA256, cut to 128 bits', () => {
    const key = Buffer.alloc(32, 7);
    const derived = hkdfSync('sha256', key, '', 'countersign blind index v1 email', 32);
    const whole = createHmac('sha256', new Uint8Array(derived)).update('zoë@example.com').digest();
    const label = createNodeSecrets([newer]).label(key.toString('base64'), 'email', 'zoë@example.com');
    expect(label).toBe(whole.subarray(0, 16).toString('base64url'));
  });

  it('labels of another key, purpose or text differ; those of another ring and a later call do not', () => {
    const secrets = createNodeSecrets([newer]);
    const keys = Array.from({ length: 1_200 }, (_, n) => Buffer.alloc(32, `${n}`).toString('base64'));
    const [key = '', other = ''] = keys;
    const label = secrets.label(key, 'email', 'a');
    const labels = [secrets.label(other, 'email', 'a'), secrets.label(key, 'phone', 'a')];
    expect(new Set([label, ...labels, secrets.label(key, 'email', 'b')]).size).toBe(4);
    for (const each of keys) secrets.label(each, 'email', 'a');
    expect(secrets.label(key, 'email', 'a')).toBe(label);
    expect(createNodeSecrets([older]).label(key, 'email', 'a')).toBe(label);
  });

  it('refuses an empty ring and a short secret', () => {
    expect(() => createNodeSecrets([])).toThrow(RangeError);
    expect(() => createNodeSecrets([newer, new Uint8Array(31)])).toThrow('at least 32 bytes');
  });
});
