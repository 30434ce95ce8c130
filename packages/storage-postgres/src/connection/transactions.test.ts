// Waits for the deadlines of statements that a real Postgres does not answer.
import { until } from '@countersign/test-support/processes/until';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { startProxy } from '../../test-support/proxy.ts';
import { rawConnection } from '../../test-support/raw.ts';
import { connectPostgres, type PostgresStorageOptions } from '../postgres-storage.ts';

const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };
const KILL = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`;

describeWith(['postgres'], 'transactions on the pool', () => {
  const server = givenPostgres();

  function poolAt(url: string, options: Partial<PostgresStorageOptions>) {
    const pool = connectPostgres({ url, ...options }).openPool();
    onTestFinished(() => pool.close());
    return pool;
  }

  async function givenPool(options: Partial<PostgresStorageOptions> = {}) {
    const url = await server.createDatabase();
    const pool = poolAt(url, options);
    const add = (name: string) => pool.run('insert into names values ($1)', [name], 'write');
    const names = async () => (await pool.run('select name from names order by name', [], 'read')).flat();
    await pool.run('create table names (name text primary key)', [], 'write');
    return { url, pool, add, names, raw: rawConnection(onTestFinished, url) };
  }

  it.each([
    ['commit', ['ann']],
    ['rollback', []],
  ] as const)('%s: others see what it changed only if it is committed', async (end, after) => {
    const { pool, names } = await givenPool();
    const transaction = await pool.begin();
    const added = await transaction.run('insert into names values ($1) returning name, now() as at', ['ann']);
    expect(added).toMatchObject({ count: 1, columns: [{ name: 'name' }, { name: 'at', type: 1184 }] });
    expect(await names()).toEqual([]);
    await transaction.end(end);
    expect(await names()).toEqual(after);
  });

  it('a statement that changes tables affects no rows', async () => {
    const { pool } = await givenPool();
    expect(await pool.run('create table more (name text)', [], 'write')).toMatchObject({ count: 0 });
  });

  it.each([
    [10, 2],
    [3, 2],
    [2, 1],
  ])(
    'transactions: a pool of %i has at most %i open, and statements still find connections',
    async (poolSize, most) => {
      const { pool, add, names } = await givenPool({ poolSize });
      const [first, ...others] = await Promise.all(Array.from({ length: most }, () => pool.begin()));
      let isNextOpen = false;
      const next = pool.begin().then((transaction) => {
        isNextOpen = true;
        return transaction;
      });
      // One after the other, so that the next one had time to open.
      for (let n = 0; n < 50; n += 1) await add(`name ${n}`);
      expect(await names()).toHaveLength(50);
      expect(isNextOpen).toBe(false);
      await first?.end('commit');
      await (await next).end('commit');
      for (const transaction of others) await transaction.end('commit');
    },
  );

  it('transactions: a pool of one connection has one at a time', async () => {
    const { pool, names } = await givenPool({ poolSize: 1 });
    await Promise.all(
      ['ann', 'bob', 'cleo'].map(async (name) => {
        const transaction = await pool.begin();
        await transaction.run('insert into names values ($1)', [name]);
        await transaction.end('commit');
      }),
    );
    expect(await names()).toEqual(['ann', 'bob', 'cleo']);
  });

  it('transactions: one without named statements waits for the query on its connection', async () => {
    const { pool, names } = await givenPool({ poolSize: 1, namedStatements: false });
    const before = names();
    const transaction = await pool.begin();
    await transaction.run('insert into names values ($1)', ['ann']);
    const after = names();
    await transaction.end('commit');
    expect([await before, await after]).toEqual([[], ['ann']]);
  });

  it('transactions: after a failed statement it is rolled back, and others get its connection', async () => {
    const { pool, add, names } = await givenPool({ poolSize: 1 });
    await add('ann');
    const transaction = await pool.begin();
    await expect(transaction.run('insert into names values ($1)', ['ann'])).rejects.toMatchObject({
      code: '23505',
    });
    await transaction.end('rollback');
    await add('bob');
    expect(await names()).toEqual(['ann', 'bob']);
  });

  it('transactions: a commit after a failed statement is refused, stores nothing, and others get its connection', async () => {
    const { pool, add, names } = await givenPool({ poolSize: 1 });
    const [[backend] = []] = await pool.run('select pg_backend_pid()', [], 'read');
    const transaction = await pool.begin();
    await transaction.run('insert into names values ($1)', ['ann']);
    await expect(transaction.run('insert into names values ($1)', ['ann'])).rejects.toMatchObject({
      code: '23505',
    });
    await expect(transaction.end('commit')).rejects.toMatchObject({ name: 'PostgresFault', code: '25P02' });
    await add('bob');
    expect(await names()).toEqual(['bob']);
    expect((await pool.run('select pg_backend_pid()', [], 'read')).flat()).toEqual([backend]);
  });

  it('transactions: a killed backend refuses statements and the commit, changes nothing, and others go on', async () => {
    const { pool, names, raw } = await givenPool({ poolSize: 2 });
    for (let round = 0; round < 5; round++) {
      const transaction = await pool.begin();
      await transaction.run('insert into names values ($1)', ['ann']);
      await until(async () => (await raw.unsafe(KILL)).length === 1);
      if (round % 2 === 0) {
        await expect(transaction.run('insert into names values ($1)', ['bob'])).rejects.toMatchObject(UNAVAILABLE);
      }
      await expect(transaction.end('commit')).rejects.toMatchObject(UNAVAILABLE);
      expect(await names()).toEqual([]);
    }
  });

  it('transactions: a silent server has each statement refused at its deadline, and another connection goes on', async () => {
    const { url, names } = await givenPool();
    const proxy = await startProxy(onTestFinished, url);
    const pool = poolAt(proxy.url, { deadlineMs: 300, poolSize: 1 });
    const transaction = await pool.begin();
    await transaction.run('insert into names values ($1)', ['ann']);
    proxy.cut();
    const waiting = pool.begin();
    await Promise.all([
      expect(transaction.run('select 1', [])).rejects.toMatchObject(UNAVAILABLE),
      expect(waiting).rejects.toMatchObject(UNAVAILABLE),
    ]);
    await expect(transaction.end('rollback')).rejects.toMatchObject(UNAVAILABLE);
    const next = await pool.begin();
    await next.run('select 1', []);
    await next.end('commit');
    expect(await names()).toEqual([]);
  });

  it('transactions: one that begins on a silent server is refused, and its connection is given up', async () => {
    const { url } = await givenPool();
    const proxy = await startProxy(onTestFinished, url);
    const pool = poolAt(proxy.url, { deadlineMs: 300, poolSize: 1 });
    await pool.run('select 1', [], 'read');
    proxy.cut();
    await expect(pool.begin()).rejects.toMatchObject(UNAVAILABLE);
    const next = await pool.begin();
    await next.end('commit');
  });

  it('transactions: one that cannot begin behind a slow statement gives its connection up, and a waiting read gets another', async () => {
    const { url, raw } = await givenPool();
    const pool = poolAt(url, { deadlineMs: 500, poolSize: 1 });
    await pool.run('select 1', [], 'read');
    await raw.unsafe('begin; lock table names');
    const slow = pool.run('insert into names values ($1)', ['ann'], 'write');
    const begun = pool.begin();
    // The deadline of `begin` ends in the same turn, after this.
    const read = slow.catch(() => pool.run('select 1', [], 'read'));
    await expect(slow).rejects.toMatchObject(UNAVAILABLE);
    await expect(begun).rejects.toMatchObject(UNAVAILABLE);
    expect([...(await read)]).toEqual([[1]]);
  });

  it('transactions: one that begins on a server that never answers gives its connection up, and waiting reads get another', async () => {
    const { url } = await givenPool();
    const proxy = await startProxy(onTestFinished, url);
    const pool = poolAt(proxy.url, { deadlineMs: 600 });
    // After a refusal, only one connection is attempted at a time.
    const refused = proxy.next('refused');
    await expect(pool.run('select 1', [], 'read')).rejects.toMatchObject(UNAVAILABLE);
    await refused;
    const silent = proxy.next('silent');
    const begun = pool.begin();
    // The pool attempts it after a pause, so the deadline of these reads is later than that of `begin`.
    const reads = silent.then(() => Promise.all([1, 2].map(() => pool.run('select 1', [], 'read'))));
    await expect(begun).rejects.toMatchObject(UNAVAILABLE);
    expect((await reads).flat(2)).toEqual([1, 1]);
  });

  it('transactions: closing waits for open ones, and refuses new ones', async () => {
    const { pool, raw } = await givenPool();
    const begun = pool.begin();
    const closed = pool.close();
    await expect(pool.begin()).rejects.toMatchObject(UNAVAILABLE);
    const transaction = await begun;
    await transaction.run('insert into names values ($1)', ['ann']);
    await transaction.end('commit');
    await closed;
    expect(await raw`select name from names`).toMatchObject([{ name: 'ann' }]);
  });
});
