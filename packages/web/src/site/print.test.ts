import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CLARA } from '../../test-support/console.ts';
import { givenDashboard } from '../../test-support/dashboard.ts';
import { pageDocument } from '../../test-support/page-document.ts';

const BASE_CSS = readFileSync(new URL('../../assets/base.css', import.meta.url), 'utf8');
/** What no printed page shows. */
const [, hidden = ''] = /@media print \{\s+body\s+:is\(([^)]+)\) \{\s+display: none;/.exec(BASE_CSS) ?? [];

it.each(['/dashboard', '/dashboard/usage', '/dashboard/verifications'])(
  'a printed page shows its rows, without menus and buttons: %s',
  async (path) => {
    const given = await givenDashboard();
    await given.submitted({ subjectReference: 'user_1' });
    const page = pageDocument((await given.open(path, CLARA)).text);
    const count = (selector: string) => [...page.querySelectorAll(selector)].length;

    expect(count('main tbody tr')).toBeGreaterThan(0);
    expect(count(`:is(${hidden}) tr`)).toBe(0);
    for (const part of ['.shell', 'button', '.button', 'form', 'details.menu'])
      expect([part, count(`${part}:is(${hidden}), :is(${hidden}) ${part}`)]).toEqual([part, count(part)]);
  },
);
