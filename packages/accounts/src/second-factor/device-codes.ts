import { randomBytes } from 'node:crypto';
import type { TOTP } from 'otpauth';

/** In Base64, three bytes are four characters. The key of the codes is the text, as better-auth has it. */
const SECRET_BYTES = 24;

/** Steps of 30 seconds by which the clock of a device may differ. */
const STEPS_APART = 1;

/** Makes the secret of a device, a text of 32 characters. */
export function newDeviceSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Returns a secret in the forms in which a user passes it to a device: in Base32, and as the `otpauth:` URI of a QR code. */
export async function setUpOf(
  secret: string,
  { issuer, email }: { readonly issuer: string; readonly email: string },
): Promise<{ readonly secret: string; readonly uri: string }> {
  const totp = await totpOf(secret, { issuer, label: email });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Whether a device shows a code at a time (RFC 6238, six digits, 30 s, SHA-1). Compares in constant time. */
export async function isDeviceCode(secret: string, code: string, at: Date): Promise<boolean> {
  const totp = await totpOf(secret);
  return totp.validate({ token: code, timestamp: at.getTime(), window: STEPS_APART }) !== null;
}

/** The library is loaded on first use. */
async function totpOf(secret: string, names: { issuer?: string; label?: string } = {}): Promise<TOTP> {
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({ ...names, secret: Secret.fromUTF8(secret) });
}
