import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStaffAdministration, type StaffAdministration } from '../composition/staff-administration.ts';
import { readStorageSettings } from '../config/environment.ts';
import { createDemoStaff } from './demo-staff.ts';

let dataDir: string;
let instances: StaffAdministration[];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
  const settings = readStorageSettings({ DATA_DIR: dataDir });
  instances = await Promise.all(Array.from({ length: 3 }, () => openStaffAdministration(settings)));
});
afterEach(async () => {
  for (const instance of instances) await instance.close();
  rmSync(dataDir, { recursive: true });
});

it('of several that start at once, one makes the demo reviewer', async () => {
  const made = await Promise.all(instances.map(({ staff }) => createDemoStaff(staff, 'https://verify.example')));
  expect(made.filter((demo) => demo !== undefined)).toEqual([
    {
      email: 'reviewer@demo.example',
      signInUrl: expect.stringMatching(/^https:\/\/verify\.example\/account\/welcome\/[\w-]{43}$/),
    },
  ]);
  expect(await instances[0]?.staff.list()).toMatchObject([{ role: 'reviewer', clientId: null }]);
});

it('makes nobody where somebody has an account', async () => {
  const [first] = instances;
  await first?.staff.create({ email: 'ann@example.com', role: 'operator' });
  for (const { staff } of instances) expect(await createDemoStaff(staff, '')).toBeUndefined();
});
