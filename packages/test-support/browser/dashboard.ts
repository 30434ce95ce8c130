import type { Page } from 'playwright-core';
import type { StaffForms } from '../pages/staff-forms.ts';
import { newVisitor, type Outfit, type Visitor } from './browser.ts';
import type { CountersignSite } from './countersign-site.ts';
import { leaving } from './leaving.ts';

/** Opens a browser with the session of a user who signed in over plain forms. */
export async function atTheDashboard(
  site: Pick<CountersignSite, 'origin'>,
  forms: Pick<StaffForms, 'cookies'>,
  outfit: Outfit = {},
): Promise<Visitor> {
  const visitor = await newVisitor(site.origin, { screen: 'desktop', ...outfit });
  const cookies = forms.cookies().split('; ');
  await visitor.context.addCookies(
    cookies.map((cookie) => {
      const [name = '', value = ''] = cookie.split(/=(.*)/s);
      return { name, value, url: site.origin };
    }),
  );
  return visitor;
}

/** Enters the password on the page that asks to confirm it. */
export async function confirmIdentity(page: Page, password: string): Promise<void> {
  await page.getByLabel('Your password').fill(password);
  await leaving(page, () => page.getByRole('button', { name: 'Confirm and continue' }).click());
}

/** Follows the first link with this name. Opens the menu of a row first, if the link is in one. */
export async function follow(page: Page, name: string | RegExp): Promise<void> {
  const link = page.getByRole('link', { name }).first();
  const inMenu = page.getByRole('link', { name, includeHidden: true });
  // A page that has not arrived yet has neither.
  await inMenu.first().waitFor({ state: 'attached' });
  if ((await link.count()) === 0) {
    await page.locator('details.menu').filter({ has: inMenu }).first().locator('summary').click();
  }
  return leaving(page, () => link.click());
}

/** Submits the form with this button. */
export function press(page: Page, name: string): Promise<void> {
  return leaving(page, () => page.getByRole('button', { name }).click());
}

/** Returns the text of the table row that contains `text`. */
export function rowOf(page: Page, text: string): Promise<string> {
  return page.locator('main tbody tr').filter({ hasText: text }).innerText();
}
