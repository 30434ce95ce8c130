import type { Page } from 'playwright-core';
import type { StaffForms } from '../pages/staff-forms.ts';
import { newVisitor, type Outfit, type Visitor } from './browser.ts';
import type { CountersignSite } from './countersign-site.ts';
import { leaving } from './leaving.ts';

/** A browser in which somebody is signed in who did so over plain forms. */
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

/** Gives the password again, on the page that asks for it. */
export async function confirmIdentity(page: Page, password: string): Promise<void> {
  await page.getByLabel('Your password').fill(password);
  await leaving(page, () => page.getByRole('button', { name: 'Confirm and continue' }).click());
}

/** Follows a link of the page's own part, or of the navigation. */
export function follow(page: Page, name: string | RegExp): Promise<void> {
  return leaving(page, () => page.getByRole('link', { name }).first().click());
}

/** Sends the form with this button. */
export function press(page: Page, name: string): Promise<void> {
  return leaving(page, () => page.getByRole('button', { name }).click());
}

/** The row of a table that says this. */
export function rowOf(page: Page, text: string): Promise<string> {
  return page.locator('main tbody tr').filter({ hasText: text }).innerText();
}
