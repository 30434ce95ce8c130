import { type StaffForms, signInAgain } from '@countersign/test-support/pages/staff-forms';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';
import { Secret, TOTP } from 'otpauth';
import type { Account } from './kept-installation.ts';

/** What a user keeps of a second factor. */
export interface SecondFactor {
  /** In Base32. */
  readonly secret: string;
  readonly backupCodes: readonly string[];
}

/** Returns the code that an authenticator shows at a time. */
export function codeAt(secret: string, at: Date): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() });
}

/** Sets up a second factor as the security page does, at the server's time. */
export async function setUpSecondFactor(forms: StaffForms, at: Date = new Date()): Promise<SecondFactor> {
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
  return { secret, backupCodes: fields.getAll('backupCodes') };
}

/** A user whose second factor was set up. */
export interface Member extends Pick<StaffForms, 'email'> {
  readonly secret: string;
  /** Those that were not used. */
  readonly backupCodes: string[];
}

/** Signs a user in, and sets their second factor up. */
export async function setUpMember(
  server: ServerProcess,
  { email }: Pick<StaffForms, 'email'>,
  at: Date,
): Promise<Member> {
  const { secret, backupCodes } = await setUpSecondFactor(await signInAgain(server, { email }), at);
  return { email, secret, backupCodes: [...backupCodes] };
}

/** Signs in with the code of a device, at the server's time. Each code is accepted once. */
export async function signInWithDevice(
  server: ServerProcess,
  { email, secret }: Account,
  at: Date,
): Promise<StaffForms> {
  const forms = await signInAgain(server, { email });
  if (secret === null) return forms;
  const { status } = await forms.post('/account/second-factor', { code: codeAt(secret, at) });
  if (status !== 303) throw new Error(`the code was answered with ${status}`);
  return forms;
}

/**
 * Enters a code at a server, in the browser of a sign-in that began at the same or another one.
 * @returns the browser's cookies; null if the code is wrong
 */
export async function enterCode(
  { origin, env }: ServerProcess,
  begun: StaffForms,
  code: string,
): Promise<string | null> {
  const response = await fetch(`${origin}/account/second-factor`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Cookie: begun.cookies(), Origin: env.PUBLIC_BASE_URL ?? origin },
    body: new URLSearchParams({ code }),
  });
  if (response.status === 422) return null;
  if (response.status !== 303) throw new Error(`the code was answered with ${response.status}`);
  const cookies = response.headers.getSetCookie();
  return cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

/** Whether a server shows the security page to a browser with these cookies. */
export async function isSignedIn({ origin }: ServerProcess, cookies: string): Promise<boolean> {
  const response = await fetch(`${origin}/account/security`, { redirect: 'manual', headers: { Cookie: cookies } });
  return response.status === 200;
}
