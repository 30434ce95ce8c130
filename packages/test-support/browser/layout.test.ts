import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeWith } from '../servers/index.ts';
import { newVisitor } from './browser.ts';
import { createLayouts, type Layouts, type Measuring, openMeasuring } from './layout.ts';

/** A page of staff without a fault. Each case below breaks one thing. */
const STAFF = `<body class="staff">
  <style>
    body { margin: 0; font: 14px/20px sans-serif }
    .shell-bar { height: 55px }
    main { padding: 16px }
    table { border-spacing: 0; font: inherit }
    td { height: 44px; padding: 0 }
    button, input { box-sizing: border-box; height: 40px; font: inherit }
    @media (min-width: 1024px) { .shell { position: absolute; left: 0; width: 232px } main { margin-left: 232px } }
  </style>
  <header class="shell"><div class="shell-bar"><span class="shell-title">Keys</span></div></header>
  <main><h1>Keys</h1><p><time>28 Nov 2026</time> <span class="badge">Active</span></p><button>Save</button>
    <div class="list"><div class="table"><table><tbody>
      <tr><td><a href="/a">Ann</a> <bdi>\u05d0</bdi> <details class="menu"><summary>More</summary><a href="/b">Revoke</a></details></td></tr>
    </tbody></table></div></div></main>
</body>`;

/** A picture whose size is only in its file. */
const WIDE_PICTURE = 'http://localhost/wide.svg';

describeWith(['chromium'], 'the measures of a page', () => {
  let page: Page;
  let measure: Measuring;

  beforeAll(async () => {
    const visitor = await newVisitor('http://localhost', { screen: 'desktop' });
    page = visitor.page;
    const body = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="9"/>';
    await visitor.context.route(WIDE_PICTURE, (route) => route.fulfill({ contentType: 'image/svg+xml', body }));
    measure = await openMeasuring(visitor.context, 'http://localhost');
  });

  async function faultsAt(width: number, html: string, layouts: Layouts = createLayouts()): Promise<string[]> {
    await page.setContent(html);
    const measured = (await measure(page)).filter((layout) => layout.width === width);
    expect(measured).toHaveLength(1);
    return measured.flatMap((layout) => layouts.faultsOf(layout, `page of ${html.length}`));
  }

  it.each([320, 1024, 1280])('find nothing wrong with a right page: %d px', async (width) => {
    expect(await faultsAt(width, STAFF)).toEqual([]);
  });

  it.each([
    ['a header of two lines', '.shell-bar { height: 55px }', '.shell-bar { height: 56.5px }', 'the header is'],
    ['a title that wraps', '>Keys</span>', '>A<br />B</span>', 'takes two lines: span.shell-title'],
    ['a wide page', '<h1>', '<h1 style="width: 400px">', 'scrolls sideways to'],
    ['a wide picture', '<h1>', `<img alt="" loading="lazy" src="${WIDE_PICTURE}"><h1>`, 'scrolls sideways to'],
    ['a time on two lines', '28 Nov', '28 <br />Nov', 'wraps: time'],
    ['a badge on two lines', 'Active', 'Act<br />ive', 'wraps: span.badge'],
    ['another size of the root', '<style>', '<style>html { font-size: 15px }', 'the root has a size of 15px'],
    ['a low button', 'height: 40px', 'height: 36px', '36 pixels tall: button "Save"'],
    ['a second link in a row', '<bdi>', '<a href="/c">Client</a> <bdi>', '2 links in a row: a "Ann", a "Client"'],
    ['a value that can reorder its neighbours', /<bdi>(.)<\/bdi>/, '$1', 'not isolated: td'],
  ] as [string, string | RegExp, string, string][])('find %s', async (_, right, wrong, fault) => {
    expect(STAFF).toMatch(right);
    expect(await faultsAt(320, STAFF.replace(right, wrong))).toEqual([expect.stringContaining(`320 ${fault}`)]);
  });

  it('find a low row of a table, except on a phone', async () => {
    const low = STAFF.replace('height: 44px', 'height: 40px').replace(/<details.*<\/details>/, '');
    expect(await faultsAt(320, low)).toEqual([]);
    expect(await faultsAt(1280, low)).toEqual([expect.stringContaining('1280 a row is 40 pixels tall: tr "Ann')]);
  });

  it('find a missing rail, and content that begins elsewhere than on the page before', async () => {
    const layouts = createLayouts();
    expect(await faultsAt(1280, STAFF, layouts)).toEqual([]);
    const moved = STAFF.replace('margin-left: 232px', 'margin-left: 300px');
    expect(await faultsAt(1280, moved, layouts)).toEqual([
      expect.stringMatching(/^1280 the content begins at 316, at 248 on page of \d+$/),
    ]);
    const covered = STAFF.replace('margin-left: 232px', '');
    expect(await faultsAt(1280, covered)).toEqual(['1280 no rail beside the page']);
  });

  it('find a seventh size of type', async () => {
    const sizes = [10, 11, 12, 13, 15].map((size) => `<p style="font-size: ${size}px">${size}</p>`).join('');
    const faults = await faultsAt(320, STAFF.replace('<button>', `${sizes}<button>`));
    expect(faults).toEqual([expect.stringContaining('px is one size of type too many: ')]);
  });
});
