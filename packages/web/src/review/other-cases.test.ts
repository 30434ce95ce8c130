import { type OtherCase, STATUSES, shortReference } from '@countersign/domain';
import { currentFlow } from '@countersign/domain/flows';
import { renderToString } from 'hono/jsx/dom/server';
import { expect, test } from 'vitest';
import { translator } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { WarningMark } from './warnings.tsx';

const idOf = (n: number): string => `01a225e5-4340-752d-9c11-${String(n).padStart(12, '0')}`;

async function markOf(others: readonly OtherCase[], language: 'en' | 'de' = 'en'): Promise<string> {
  const href = (path: string) => `/kyc${path}`;
  const page = { t: translator(language), language, href, asset: (name: string) => name } as Page;
  const verification = { flow: currentFlow('kyc'), steps: {} };
  const warning = { code: 'rejected_for_fraud', step: 'person', path: '', others } as const;
  return renderToString(
    await WarningMark({ view: { page, query: '?type=kyc', reviewed: { verification } }, warning }),
  );
}

const linksIn = (html: string) =>
  [
    ...html.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a> <span class="badge[^>]*>(?:<svg.*?<\/svg>)?([^<]+)/g),
  ].map(([, ...parts]) => parts);

test('a warning links to each case that was compared, with what became of it', async () => {
  const html = await markOf(STATUSES.map((status, n) => ({ verificationId: idOf(n), status })));
  const outcomes = ['Waiting for subject', 'To review', 'Action needed', 'Approved', 'Rejected'];
  expect(linksIn(html)).toEqual(
    outcomes.map((outcome, n) => [`/kyc/review/${idOf(n)}?type=kyc`, shortReference(idOf(n)), outcome]),
  );
  expect(html).toContain('aria-label="Compared with these cases"');
  expect(html).toContain('warning-mark is-bad');
  expect(html).not.toContain('more');
});

test.each([
  [6, 'and 1 more', 'und 1 weiterer'],
  [50, 'and 45 more', 'und 45 weitere'],
] as const)(
  'a warning of %i compared cases lists the first five and the number of the others',
  async (count, english, german) => {
    const others = Array.from({ length: count }, (_, n) => ({
      verificationId: idOf(n),
      status: 'approved' as const,
    }));
    const html = await markOf(others);
    expect(linksIn(html).map(([address]) => address)).toEqual(
      others.slice(0, 5).map(({ verificationId }) => `/kyc/review/${verificationId}?type=kyc`),
    );
    expect(html).toContain(english);
    expect(await markOf(others, 'de')).toContain(german);
  },
);
