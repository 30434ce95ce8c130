import { createKeyRing } from '@countersign/sealing';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { expect, test, vi } from 'vitest';
import { givenSealedVerifications } from '../../test-support/sealed-verifications.ts';
import { workplaceOfEachTest } from '../../test-support/workplace.ts';

// Starts real processes to test exit codes and readiness.
const workplace = workplaceOfEachTest();

const [OLD, NEW] = [1, 2].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer];
const [oldName, newName] = [OLD, NEW].map((secret) => createKeyRing([secret]).newest) as [string, string];
const ringOf = (...secrets: Buffer[]) => ({ SECRET_KEYS: secrets.map((each) => each.toString('hex')).join(',') });

test('serve refuses secrets that open nothing, and shows in /readyz that some are missing', async () => {
  const { out } = await workplace.run('client create --name Acme --plan standard --json');
  const { id: clientId } = JSON.parse(out) as { id: string };
  const storage = await createSqliteStorage({ file: `${workplace.dataDir}/countersign.db` });
  await givenSealedVerifications(storage, { clientId, count: 1, secretKeys: [OLD] });

  const refused = await workplace.refuse(ringOf(NEW));
  expect(refused).toMatchObject({ exitCode: 78, out: '' });
  expect(refused.err).toMatch(
    new RegExp(
      `^countersign: SECRET_KEYS opens none of the stored data, [^\\n]+ LOST_SECRETS=${oldName} [^\\n]+\n$`,
    ),
  );

  const server = await workplace.serve({ ...ringOf(NEW), LOST_SECRETS: oldName });
  const readiness = async () => (await fetch(`${server.origin}/readyz`)).json();
  expect(await readiness()).toEqual({ status: 'ready' });
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);

  await givenSealedVerifications(storage, { clientId, count: 1, first: 1, secretKeys: [NEW] });
  await storage.close();
  const degraded = await workplace.serve(ringOf(OLD));
  await vi.waitFor(
    async () => {
      const answer = await fetch(`${degraded.origin}/readyz`);
      expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready', degraded: ['secrets'] }]);
      expect(degraded.log()).toContainEqual(expect.objectContaining({ level: 'warn', secrets: [newName] }));
    },
    { timeout: 20_000, interval: 20 },
  );
});
