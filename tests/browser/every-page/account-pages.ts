import { newMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import type { Looking } from './looking.ts';

/** Checks sign-in, password confirmation and the second factor. */
export async function lookAtAccounts({ site, newReader }: Looking): Promise<void> {
  const { server, clientId } = site;
  const [staff, invited, ofClient, reader] = await Promise.all([
    newMember(server, { role: 'reviewer' }),
    site.invite('operator'),
    newMember(server, { role: 'client', clientId }),
    newReader('en'),
  ]);
  const welcome = new URL(invited.signInUrl).pathname;
  await reader.look(welcome);
  await reader.post(welcome, { password: 'short', repeat: 'short' }, 422);
  await reader.look('/account/welcome/used-up', 410);
  await reader.inFull.post('/account/welcome/used-up', {}, 410);
  await reader.look('/account/lost-device/used-up', 410);
  await reader.post('/account/lost-device/used-up', {}, 410);
  // Served only where the service sends mail: tests/browser/users-by-mail.test.ts.
  await reader.look('/account/forgot-password', 404);
  await reader.post('/account/forgot-password', {}, 404);
  await reader.look('/account/sign-in?returnTo=%2Freview');
  await reader.post('/account/sign-in', {}, 422);
  await reader.inFull.post('/account/sign-in', { email: staff.email, password: 'wrong' }, 422);
  await reader.look('/account/passkey');
  await reader.post('/account/passkey', { response: '' }, 422);
  await reader.look('/account/second-factor');
  await reader.post('/account/second-factor', { code: '' }, 422);

  await reader.signInAs(ofClient);
  await reader.look('/account/confirm?returnTo=%2Fdashboard%2Fkeys%2Fnew');
  await reader.post('/account/confirm', { password: '', returnTo: '/dashboard' }, 422);
  await reader.look('/review', 403);

  await reader.signInAs(staff);
  await reader.look('/account/security?needed=1');
  await reader.post('/account/security/begin', { password: '' }, 422);
  await reader.post('/account/security/begin', { password: staff.password }, 200);
  const setup = { uri: 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP', secret: 'JBSWY3DPEHPK3PXP' };
  await reader.post('/account/security/confirm', { ...setup, backupCodes: 'alpha-1111', code: '1' }, 422);
  await reader.post('/account/security/remove', { password: '' }, 422);
  await reader.look('/account/security?done=removed');
  await setUpSecondFactor(staff);
  await reader.signInAs(staff);
  await reader.look('/account/security?done=added');

  // The reader's own account cannot be locked out on the reader's device.
  const wrong = { email: 'nobody@example.org', password: 'wrong' };
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const body = new URLSearchParams(wrong);
    const headers = { Origin: site.origin };
    const answer = await fetch(`${site.origin}/account/sign-in`, { method: 'POST', headers, body });
    await answer.text();
    if (answer.status === 429) break;
  }
  await reader.look('/account/sign-in');
  await reader.post('/account/sign-in', wrong, 429);
  reader.expectNothingWrong();
}

async function setUpSecondFactor(staff: StaffForms): Promise<void> {
  const shown = await (await staff.post('/account/security/begin', { password: staff.password })).text();
  const fieldOf = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(shown)?.[1] ?? '';
  const secret = fieldOf('secret');
  const answer = await staff.post('/account/security/confirm', {
    uri: fieldOf('uri').replaceAll('&amp;', '&'),
    secret,
    backupCodes: fieldOf('backupCodes'),
    saved: 'true',
    code: new TOTP({ secret }).generate(),
  });
  expect(answer.headers.get('location')).toContain('done=added');
}
