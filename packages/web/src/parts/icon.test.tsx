import { renderToString } from 'hono/jsx/dom/server';
import { expect, it } from 'vitest';
import { Icon } from './icon.tsx';

const assetBelow = (path: string) => ({ asset: (name: string) => `${path}/${name}` });

it('an icon is drawn with the address of its own page and its own name', () => {
  const [one, other] = [assetBelow('/kyc/assets/1'), assetBelow('/assets/2')];
  const draw = (page: typeof one, name: 'key' | 'lock') => renderToString(<Icon page={page} name={name} />);
  const hrefOf = (drawn: string) => /href="([^"]*)"/.exec(drawn)?.[1];
  const all = [draw(one, 'key'), draw(other, 'key'), draw(one, 'lock'), draw(one, 'key')];
  expect(all.map(hrefOf)).toEqual([
    '/kyc/assets/1/icons.svg#key',
    '/assets/2/icons.svg#key',
    '/kyc/assets/1/icons.svg#lock',
    '/kyc/assets/1/icons.svg#key',
  ]);
});

it('an icon escapes its address', () => {
  expect(renderToString(<Icon page={assetBelow('/"><b>')} name="key" />)).toContain(
    'href="/&quot;&gt;&lt;b&gt;/icons.svg#key"',
  );
});
