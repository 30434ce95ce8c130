import type { StaffForms } from '@countersign/test-support/pages/staff-forms';
import { Secret, TOTP } from 'otpauth';

/** Returns the code that an authenticator shows at a time. */
export function codeAt(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

/** Sets up a second factor as the security page does, at the server's time. @returns its secret in Base32 */
export async function setUpSecondFactor(forms: StaffForms, at: Date = new Date()): Promise<string> {
  const page = await (await forms.post('/account/security/begin', { password: forms.password })).text();
  const fields = new URLSearchParams();
  for (const [, name = '', value = ''] of page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)) {
    fields.append(name, value.replaceAll('&amp;', '&'));
  }
  const secret = fields.get('secret') ?? '';
  fields.set('saved', 'true');
  fields.set('code', codeAt(secret, at));
  const { status } = await forms.post('/account/security/confirm', fields);
  if (status !== 303) throw new Error(`the first code was answered with ${status}`);
  return secret;
}
