import { DOWNLOADS_AT_ONCE } from '@countersign/domain/evidence';
import { expect, it } from 'vitest';
import { BEN, givenConsole, RITA } from '../../test-support/console.ts';

it('downloads of a user above the limit get an error page; HEAD and readers that leave hold no slot', async () => {
  const given = await givenConsole();
  const id = await given.submitted();
  const [file] = (await given.review.open(id)).verification.files;
  const ask = (as = RITA, method = 'GET') => given.ask(`/review/${id}/files/${file?.id}`, as, { method });
  for (let time = 0; time <= DOWNLOADS_AT_ONCE; time += 1) {
    expect((await ask(RITA, 'HEAD')).status).toBe(200);
    await (await ask()).arrayBuffer();
  }

  const unread: Response[] = [];
  for (let slot = 1; slot <= DOWNLOADS_AT_ONCE; slot += 1) unread.push(await ask());
  const refused = await ask();
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '5']);
  expect(await refused.text()).toMatch(/Too many downloads.*Try again in 5 seconds/s);
  expect((await ask(BEN)).status).toBe(200);

  await unread[0]?.body?.cancel();
  expect((await ask()).status).toBe(200);
});
