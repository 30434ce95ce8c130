import { renderToString } from 'hono/jsx/dom/server';
import { expect, it } from 'vitest';
import { Facts } from './page-parts.tsx';

it('facts escape their names and values, and leave out null', () => {
  expect(renderToString(<Facts items={[['<b>', '"<i>"'], null, ['Entry', <code>{'<u>'}</code>]]} />)).toBe(
    '<dl class="facts"><div><dt>&lt;b&gt;</dt><dd>&quot;&lt;i&gt;&quot;</dd></div><div><dt>Entry</dt><dd><code>&lt;u&gt;</code></dd></div></dl>',
  );
});
