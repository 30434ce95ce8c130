import type { StaffRole, TeamRole } from '@countersign/domain/staff';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { setPassword, signIn } from '@countersign/test-support/browser/sign-in';
import { PASSWORD } from '@countersign/test-support/browser/staff';
import { countersign } from '@countersign/test-support/processes/command-line';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';
import type { Page } from 'playwright-core';

/** A signed-in user in a separate browser. */
export interface Person {
  readonly page: Page;
  open(path: string): Promise<void>;
  /** Signs in again with a new session and confirms the password, which stays valid for ten minutes. */
  comeBack(): Promise<void>;
}

export interface NewPerson {
  readonly name: string;
  readonly email: string;
  readonly role: StaffRole;
  readonly clientId?: string;
  readonly teamRole?: TeamRole;
  /** Their IP address, for a server behind one proxy. */
  readonly address: string;
}

/** Creates an account with a command, which uses the server's clock, and sets the password with its link. */
export async function newPerson(server: ServerProcess, person: NewPerson): Promise<Person> {
  const { name, email, role, clientId, teamRole, address } = person;
  const ofClient = clientId === undefined ? [] : ['--client', clientId, '--team-role', teamRole ?? 'owner'];
  const { signInUrl } = await countersign<{ signInUrl: string }>(
    ['user', 'create', '--name', name, '--email', email, '--role', role, ...ofClient],
    { ...server.env, PORT: String(server.port) },
  );
  const origin = `http://localhost:${server.port}`;
  const { page, context } = await newVisitor(origin, { screen: 'desktop' });
  await context.setExtraHTTPHeaders({ 'X-Forwarded-For': address });
  await page.goto(signInUrl);
  await setPassword(page);

  const open = async (path: string) => void (await page.goto(origin + path));
  return {
    page,
    open,
    async comeBack() {
      await context.clearCookies();
      await open('/account/sign-in');
      await signIn(page, email);
      await open('/account/confirm');
      await page.locator('[name=password]').fill(PASSWORD);
      await press(page);
    },
  };
}

/** Submits the form of the page. */
export async function press(page: Page): Promise<void> {
  const answered = page.waitForNavigation();
  await page.locator('main form[method=post] button[type=submit]').last().click();
  await answered;
}
