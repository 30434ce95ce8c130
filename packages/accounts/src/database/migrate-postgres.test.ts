import { expect, it } from 'vitest';
import { createPostgresMigrator } from './migrate-postgres.ts';

/** Migrates on connections whose statements all fail. */
function migrateWith(fault: Error): Promise<unknown> {
  const connections = {
    openPool() {
      throw new Error('a migration needs no pool');
    },
    connect: <T>(work: (run: () => Promise<never>) => Promise<T>) => work(() => Promise.reject(fault)),
  };
  return createPostgresMigrator(connections, { isDirect: true }).migrate();
}

const faultOf = (code: string) => Object.assign(new Error('failed'), { code });

it.each(['EPIPE', 'ECONNRESET', 'CONNECTION_CLOSED', '08006', '57P01', '53300'])(
  'migrating accounts: %s is an error of the connection and stays as it is',
  async (code) => {
    const fault = faultOf(code);
    await expect(migrateWith(fault)).rejects.toBe(fault);
  },
);

it.each(['42P07', '23505', 'P0001', 'XX000', 'F0000', 'HV000'])(
  'migrating accounts: %s is a failed migration',
  async (code) => {
    const cause = faultOf(code);
    await expect(migrateWith(cause)).rejects.toMatchObject({
      code: 'migration_failed',
      message: `The tables of accounts could not be made, and none was kept (${code})`,
      cause,
    });
  },
);

it('migrating accounts: a lock that another process holds is reported as locked', async () => {
  await expect(migrateWith(faultOf('55P03'))).rejects.toMatchObject({ name: 'AccountsOpenError', code: 'locked' });
});
