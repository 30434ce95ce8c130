import { join } from 'node:path';
import { createStaffManagement } from '@countersign/accounts';
import { createCountersign } from '@countersign/domain';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { createSystemClock } from '@countersign/runtime';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDemoClient, createDemoStaff } from './demo.ts';
import { DEMO_LOGO } from './demo-logo.ts';

type Staff = Awaited<ReturnType<typeof createStaffManagement>>;

const demo = { clientId: 'demo-client', publicBaseUrl: 'https://verify.example' };
let dataDir: string;
let instances: Staff[];

beforeEach(async () => {
  dataDir = temporaryFolder();
  const file = join(dataDir, 'countersign.db');
  await (await createSqliteStorage({ file })).close();
  const open = () => createStaffManagement({ database: { kind: 'sqlite', file }, clock: createSystemClock() });
  instances = await Promise.all(Array.from({ length: 3 }, open));
});
afterEach(async () => {
  for (const instance of instances) await instance.close();
});

it('createDemoStaff: of several servers that start at once, one creates both users', async () => {
  const made = await Promise.all(instances.map((staff) => createDemoStaff(staff, demo)));
  const signInUrl = expect.stringMatching(/^https:\/\/verify\.example\/account\/welcome\/[\w-]{43}$/) as string;
  expect(made.filter((staff) => staff !== undefined)).toEqual([
    {
      team: { email: 'team@demo.example', signInUrl },
      operator: { email: 'operator@demo.example', signInUrl },
    },
  ]);
  expect(await instances[0]?.list()).toMatchObject([
    { role: 'client', clientId: 'demo-client', teamRole: 'owner' },
    { role: 'operator', clientId: null, teamRole: null },
  ]);
});

it('createDemoStaff: creates no users when one exists', async () => {
  const [first] = instances;
  await first?.create({ email: 'ann@example.com', role: 'operator' });
  for (const staff of instances) expect(await createDemoStaff(staff, demo)).toBeUndefined();
});

it('createDemoClient: the client has addresses for help and data protection, and a logo', async () => {
  const clock = createFixedClock();
  const storage = createMemoryStorage();
  const countersign = createCountersign(
    {
      storage,
      sealing: 'none',
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: createCountingIds(),
      secrets: createCountingSecrets(),
    },
    { publicBaseUrl: demo.publicBaseUrl },
  );
  const made = await createDemoClient(countersign, storage);
  expect(await countersign.appearances.get(made?.clientId ?? '')).toMatchObject({
    supportAddress: 'help@demo.example',
    privacyAddress: 'https://demo.example/privacy',
  });
  const logo = await countersign.appearances.logo(made?.clientId ?? '', DEMO_LOGO.id);
  expect(Buffer.from(logo ?? [])).toEqual(DEMO_LOGO.content);
  // The header of a PNG has the width and the height that pages give it.
  const header = Buffer.from(DEMO_LOGO.content);
  expect(header.toString('latin1', 1, 4)).toBe('PNG');
  expect([16, 20].map((at) => header.readUInt32BE(at))).toEqual([DEMO_LOGO.width, DEMO_LOGO.height]);
});
