// Each case has accounts of its own, on each kind of database.
import { expect, it, onTestFinished } from 'vitest';
import { addSecondFactor, beginSecondFactor, KEY } from '../../test-support/accounts.ts';
import { rowsOf, runIn } from '../../test-support/databases.ts';
import { codeOf } from '../../test-support/device.ts';
import { onEveryDatabase } from '../../test-support/every-database.ts';
import { openDatabase } from '../database/open-database.ts';
import { resealSecondFactors } from '../index.ts';
import { versionedSecrets } from '../sessions/secrets.ts';
import { createSealing } from './sealing.ts';
import { createSecondFactors } from './second-factors.ts';

const RING = [KEY, Buffer.alloc(32, 8)];

onEveryDatabase('backup codes', (at) => {
  /** Opens second factors that call `afterRead` after each read of a value, and `meanwhile` before each write of backup codes. */
  async function opened(
    meanwhile: () => Promise<unknown> = async () => undefined,
    afterRead: () => Promise<unknown> = async () => undefined,
  ) {
    const db = await openDatabase(at.database);
    onTestFinished(() => db.destroy());
    const sealing = createSealing(versionedSecrets(RING));
    return createSecondFactors({
      database: async () => db,
      kind: at.database.kind,
      sealing: {
        ...sealing,
        async open(sealed) {
          await afterRead();
          return sealing.open(sealed);
        },
        async seal(text) {
          await meanwhile();
          return sealing.seal(text);
        },
      },
      clock: at.clock,
      appName: 'Countersign',
    });
  }

  async function givenCodes() {
    const { backupCodes } = await addSecondFactor(at, await at.user());
    const [first = '', second = ''] = backupCodes;
    return { id: await at.idOf('ann@example.com'), first, second, backupCodes };
  }

  /** Re-seals with the other secret each time, so that the stored codes change. */
  function reseals() {
    const ring = [...RING];
    return async () => {
      await resealSecondFactors({ database: at.database, secretKeys: ring.reverse() });
    };
  }

  it('a right code is used although all others are used at the same time', async () => {
    const { id, first, backupCodes } = await givenCodes();
    const others = await opened();
    const left = backupCodes.slice(1);
    const factors = await opened(async () => {
      const next = left.shift();
      if (next !== undefined) expect(await others.useBackupCode(id, next)).toBe(true);
    });
    expect(await factors.useBackupCode(id, first)).toBe(true);
    expect(left).toEqual([]);
    for (const code of backupCodes) expect(await others.useBackupCode(id, code)).toBe(false);
  });

  it('a code that is used twice at the same time is right once', async () => {
    const { id, first } = await givenCodes();
    const other = await opened();
    const factors = await opened(() => other.useBackupCode(id, first));
    expect(await factors.useBackupCode(id, first)).toBe(false);
  });

  it('a right code is used although the codes are re-sealed meanwhile', async () => {
    const { id, first } = await givenCodes();
    const reseal = reseals();
    let times = 0;
    const factors = await opened(async () => {
      if (times++ === 0) await reseal();
    });
    expect(await factors.useBackupCode(id, first)).toBe(true);
    expect(times).toBe(2);
    expect(await factors.useBackupCode(id, first)).toBe(false);
  });

  it('codes that change during every attempt are SERVICE_UNAVAILABLE, not wrong, and none is used', async () => {
    const { id, first } = await givenCodes();
    const reseal = reseals();
    let times = 0;
    const factors = await opened(async () => {
      times += 1;
      await reseal();
    });
    await expect(factors.useBackupCode(id, first)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(times).toBe(12);
    expect(await (await opened()).useBackupCode(id, first)).toBe(true);
  });

  it('backup codes that are not a list cause an error', async () => {
    const { id, first } = await givenCodes();
    const sealed = await createSealing(versionedSecrets(RING)).seal('{}');
    await runIn(at.database, `update staff_two_factors set backup_codes = '${sealed}'`);
    await expect((await opened()).useBackupCode(id, first)).rejects.toThrow('backup codes are not a list');
  });

  it('a user without a second factor has no valid code, and no code confirms one', async () => {
    await at.user();
    const id = await at.idOf('ann@example.com');
    const factors = await opened();
    expect(await factors.isCode(id, '000000')).toBe(false);
    expect(await factors.confirm(id, '000000')).toBe(false);
  });

  it('a code confirms its set-up unless another set-up begins meanwhile', async () => {
    const browser = await at.user();
    const id = await at.idOf('ann@example.com');
    const { secret } = await beginSecondFactor(at.accounts, browser);
    const code = codeOf(secret, at.clock.now());
    expect(await (await opened()).isCode(id, code)).toBe(false);

    const factors = await opened(undefined, () => beginSecondFactor(at.accounts, browser));
    expect(await factors.confirm(id, code)).toBe(false);
    expect(await rowsOf(at.database, 'select two_factor_enabled as is_on from staff_users')).toEqual([
      { is_on: at.database.kind === 'sqlite' ? 0 : false },
    ]);
  });

  it('a code does not confirm the set-up of a user who is removed meanwhile', async () => {
    const { secret } = await beginSecondFactor(at.accounts, await at.user());
    const id = await at.idOf('ann@example.com');
    const factors = await opened(undefined, () => at.accounts.remove(id, { keepOwner: false }));
    expect(await factors.confirm(id, codeOf(secret, at.clock.now()))).toBe(false);
  });

  it('a code of a second factor that is not confirmed is wrong', async () => {
    const { backupCodes } = await beginSecondFactor(at.accounts, await at.user());
    const id = await at.idOf('ann@example.com');
    expect(await (await opened()).useBackupCode(id, backupCodes[0] ?? '')).toBe(false);
  });
});
