import type { BrowserContext, ConsoleMessage } from 'playwright-core';
import { expect } from 'vitest';

export interface Complaints {
  /** Returns violations of the content security policy, script errors, missing files and requests to other origins. */
  all(): readonly string[];
  /** Fails with the complaints so far. */
  expectNone(): void;
}

/** Collects complaints of all pages of the context from now on. */
export async function watchComplaints(context: BrowserContext, origin: string): Promise<Complaints> {
  const complaints: string[] = [];
  const pages = new Set<string>();
  const isStatusOfPage = (message: ConsoleMessage) =>
    BAD_STATUS.test(message.text()) && pages.has(withoutFragment(message.location().url));

  await context.addInitScript(TELL_VIOLATIONS);
  context.on('console', (message) => {
    const isExpected = isStatusOfPage(message) || STOPPED_SCRIPT.test(message.text());
    if (message.type() === 'error' && !isExpected)
      complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complaints.push(`script: ${error.error().message}`));
  context.on('request', (request) => {
    const url = request.url();
    const isLocal = url.startsWith(`${origin}/`) || url.startsWith('data:') || url.startsWith(`blob:${origin}/`);
    if (request.isNavigationRequest()) pages.add(withoutFragment(url));
    if (!isLocal) complaints.push(`off-origin: ${request.method()} ${new URL(url).origin}`);
  });

  return {
    all: () => complaints,
    expectNone: () => expect(complaints).toEqual([]),
  };
}

/** The browser also logs the status of an error page as an error. Expected for pages, not for their files. */
const BAD_STATUS = /^Failed to load resource: the server responded with a status of/;

/** The browser blocks the script below in a picture opened on its own, as it should. */
const STOPPED_SCRIPT = /^Blocked script execution in '[^']*\/files\//;

function withoutFragment(url: string): string {
  return url.split('#')[0] ?? '';
}

/** Runs in the page. */
const TELL_VIOLATIONS = `
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
    console.error('CSP ' + [violatedDirective, blockedURI, sourceFile, lineNumber].join(' '));
  });`;
