// The hosted flow's journey in a browser, from the link to the end: only there do scripts, forms and policy meet.
import type { SubjectType } from '@countersign/domain';
import { currentFlow, type StepKey, screensOf, stepsOf } from '@countersign/domain/flows';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { walk } from '@countersign/test-support/browser/walk';
import { extent } from '@countersign/test-support/installation/extent';
import { describeWith } from '@countersign/test-support/servers';
import { describe, expect, it } from 'vitest';

let starting: Promise<CountersignSite> | undefined;
const theSite = (): Promise<CountersignSite> => {
  starting ??= startSite();
  return starting;
};

/** Runs in the page. Returns by how much it is wider than the window. */
const TOO_WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describeWith(['chromium'], 'a subject on a phone', () => {
  describe.concurrent('walks from the link to the end', () => {
    // The short run takes the first two, and the second from the first page with people on. subject-flows.test.ts walks
    // kyc with JavaScript; the tests of the hosted pages walk kyb as plain forms.
    const walks: readonly [SubjectType, string, from?: string][] = [
      ['kyc', 'without'],
      ['kyb', 'with', 'directors'],
      ['kyc', 'with'],
      ['kyb', 'without'],
    ];
    const isShort = extent({ full: 0, short: 1 }) === 1;
    it.each(isShort ? walks.slice(0, 2) : walks)('of %s, %s JavaScript', async (type, javaScript, from) => {
      const site = await theSite();
      const isPartial = isShort && from !== undefined;
      const { id, url } = isPartial ? await site.createAnswered(type, from) : await site.create(type);
      const first = await site.currentStep(id);
      expect(first > 0).toBe(isPartial);
      const { page, complaints } = await newVisitor(site.origin, { javaScript: javaScript === 'with' });
      const seen: number[] = [];

      await page.goto(url);
      expect(page.url()).toBe(`${site.origin}/verify/${id}`);
      const onPage = async () => {
        seen.push(await site.currentStep(id));
        expect(await page.evaluate<number>(TOO_WIDE), `${page.url()} is too wide`).toBeLessThanOrEqual(0);
      };
      await walk(page, type, { onPage });

      const steps = stepsOf(currentFlow(type));
      expect([...new Set(seen)]).toEqual(progressOf(type).filter((step) => step >= first));
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
      const { status, submittedData, resolvedAt, documents, history } = await site.details(id);
      expect({ status, resolvedAt }).toEqual({ status: 'submitted', resolvedAt: null });
      expect(Object.keys(submittedData)).toEqual(steps);
      expect(submittedData.consent).toMatchObject({
        accepted: true,
        locale: 'en',
        version: expect.stringMatching(/\S/),
      });
      expect(documents.map(({ contentType }) => contentType)).toContain('image/jpeg');
      expect(history.map((entry) => entry.status)).toEqual(['pending', 'submitted']);
      complaints.expectNone();
    });
  });
});

/** Returns the values of `currentStep` on the way through a flow: a screen may end several steps. */
function progressOf(type: SubjectType): readonly number[] {
  const flow = currentFlow(type);
  const screens = screensOf(flow);
  const lastOf = (step: StepKey) => screens.findLastIndex(({ parts }) => parts.some((part) => part.step === step));
  const ended = screens.map((_, index) => stepsOf(flow).filter((step) => lastOf(step) <= index).length);
  return [...new Set([0, ...ended])];
}
