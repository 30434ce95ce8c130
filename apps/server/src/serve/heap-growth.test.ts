import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = join(import.meta.dirname, 'heap-growth.ts');

it('limitHeapGrowth: V8 collects a growing heap more often, although the process has started', async () => {
  const [limited, unlimited] = await Promise.all([collections('limitHeapGrowth()'), collections('')]);
  expect(limited).toBeGreaterThan(unlimited);
});

/** Runs a process that fills its heap, and counts its collections of the whole heap. */
async function collections(before: string): Promise<number> {
  const program = `
    import { limitHeapGrowth } from ${JSON.stringify(MODULE)};
    ${before};
    const kept = [];
    for (let made = 0; made < 1_000_000; made += 1) kept.push({ made: [made] });`;
  const flags = ['--max-semi-space-size=1', '--trace-gc', '--input-type=module', '--no-warnings'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', program]);
  return stdout.split('Mark-Compact').length - 1;
}
