import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type BegunUse, beginUse, type FolderUse } from './folder-use.ts';

const onFault = (fault: unknown) => expect.unreachable(String(fault));
/** Uses are renewed often and never taken for ended ones. */
const LIVELY = { renewedEveryMs: 8, deadAfterMs: 600_000 };
/** Nothing is renewed. */
const DEAD = { renewedEveryMs: 1_000_000, deadAfterMs: 1 };

function given(): {
  readonly directory: string;
  begin(use: FolderUse): Promise<BegunUse | null>;
  files(): string[];
} {
  const directory = join(temporaryDirectory(onTestFinished), 'evidence');
  return {
    directory,
    async begin(use) {
      const begun = await beginUse(directory, { use, onFault, timing: LIVELY });
      onTestFinished(() => begun?.end());
      return begun;
    },
    files: () => readdirSync(join(directory, '.in-use')),
  };
}

test('several servers use a folder at once, and none while it is replaced', async () => {
  const { begin, files } = given();
  const servers = [await begin('serve'), await begin('serve')];
  expect(servers).not.toContain(null);
  expect(await begin('replace')).toBeNull();

  await servers[0]?.end();
  expect(await begin('replace')).toBeNull();
  await servers[1]?.end();
  await servers[1]?.end();
  expect(files()).toEqual([]);

  const replacing = await begin('replace');
  expect(replacing).not.toBeNull();
  expect([await begin('serve'), await begin('replace')]).toEqual([null, null]);
  await replacing?.end();
  expect(await begin('serve')).not.toBeNull();
});

test.each(['serve', 'replace'] as const)(
  'the use %s of a killed process, of whatever time, ends when it is not renewed',
  async (use) => {
    const { directory, files } = given();
    mkdirSync(join(directory, '.in-use'), { recursive: true });
    writeFileSync(join(directory, '.in-use', `${use}-killed`), '');

    const begun = await beginUse(directory, { use: 'replace', onFault, timing: DEAD });

    expect(begun).not.toBeNull();
    expect(files()).toEqual([expect.stringMatching(/^replace-[0-9a-f]{32}$/)]);
    await begun?.end();
  },
);

test('a server whose folder cannot be written reports it, serves, and marks the folder as soon as it can', async () => {
  const { directory, files } = given();
  writeFileSync(directory, 'in its place');
  const faults = vi.fn<(fault: unknown) => void>();
  await expect(beginUse(directory, { use: 'replace', onFault, timing: LIVELY })).rejects.toThrow('ENOTDIR');

  const serving = await beginUse(directory, { use: 'serve', onFault: faults, timing: LIVELY });
  onTestFinished(() => serving?.end());

  expect(serving).not.toBeNull();
  expect(faults).toHaveBeenCalledWith(expect.objectContaining({ code: 'ENOTDIR' }));
  rmSync(directory);
  await vi.waitFor(() => expect(files()).toHaveLength(1), { timeout: 30_000, interval: 10 });
});
