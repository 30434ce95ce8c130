import { expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../../test-support/given-database.ts';
import { FIRST_PAGE, givenThread } from '../../test-support/given-thread.ts';
import { CLIENT } from '../../test-support/records.ts';

it('sees what was committed before the read', async () => {
  const { file, thread } = await givenThread();
  expect(await thread.run('list', CLIENT.id, FIRST_PAGE)).toMatchObject({ totalCount: 2 });

  const writer = rawConnection(onTestFinished, file);
  writer.exec('DELETE FROM verification_events; DELETE FROM verifications');

  expect(await thread.run('list', CLIENT.id, FIRST_PAGE)).toEqual({ rows: [], totalCount: 0 });
});

it('answers reads that were asked at the same time, each with its own result', async () => {
  const { thread } = await givenThread();

  const limits = [1, 2, 0, 1];
  const pages = await Promise.all(limits.map((limit) => thread.run('list', CLIENT.id, { ...FIRST_PAGE, limit })));

  expect(pages.map(({ rows }) => rows.length)).toEqual(limits);
});
