import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { leaving } from './leaving.ts';
import { PASSWORD } from './staff.ts';

/** Sets the password on the page that a one-time link opened. */
export async function setPassword(page: Page, password = PASSWORD, repeat = password): Promise<void> {
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Repeat the password').fill(repeat);
  await leaving(page, () => page.getByRole('button', { name: 'Set the password and sign in' }).click());
}

/** Submits the form of the open sign-in page. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await leaving(page, () => page.getByRole('button', { name: 'Sign in', exact: true }).click());
}

/** Signs out in the user's menu, or on a page that has none. */
export async function signOut(page: Page): Promise<void> {
  const menu = page.locator('.user-menu');
  if ((await menu.count()) > 0) {
    if (!(await menu.isVisible())) await page.locator('.menu-switch > summary').click();
    await menu.locator('summary').click();
  }
  await leaving(page, () => page.getByRole('button', { name: 'Sign out' }).click());
}

/** Answers the page that asks for a code. */
export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await leaving(page, () => page.getByRole('button', { name: 'Continue' }).click());
}

/** A second factor: an authenticator's codes and the backup codes. */
export interface SecondFactor {
  /** Returns a valid code that was not returned before, because the server accepts each code once. */
  code(): string;
  readonly backupCodes: readonly string[];
}

/** Sets up a second factor, starting on the security page. */
export async function setUpSecondFactor(page: Page, password = PASSWORD): Promise<SecondFactor> {
  await page.getByLabel('Your password').fill(password);
  return turnOnSecondFactor(page);
}

/** Sets up a second factor on a security page that has no more fields. */
export async function turnOnSecondFactor(page: Page): Promise<SecondFactor> {
  await leaving(page, () => page.getByRole('button', { name: 'Set up a second factor' }).click());
  const shown = (await page.locator('code.secret').innerText()).replaceAll(' ', '');
  const backupCodes = await page.locator('.backup-codes code').allInnerTexts();
  const code = codesOf(shown);
  await page.getByLabel('I have saved the backup codes').check();
  await page.getByLabel('Code', { exact: true }).fill(code());
  await leaving(page, () => page.getByRole('button', { name: 'Turn on the second factor' }).click());
  return { code, backupCodes };
}

/** Returns the current code or the next one, which the server also accepts because clocks differ (RFC 6238, section 5.2). */
function codesOf(secret: string): () => string {
  const device = new TOTP({ secret: Secret.fromBase32(secret) });
  let last = 0;
  return () => {
    last = Math.max(last + 1, device.counter());
    return device.generate({ timestamp: last * device.period * 1_000 });
  };
}
