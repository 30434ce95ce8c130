// Builds the program, and asks pnpm for the components of all packages.
import { expect, it } from 'vitest';
import { publishedPackages } from '../../scripts/pack.mjs';
import { listComponents } from '../../scripts/sbom.mjs';
import { buildServerPackage } from '../../scripts/server-package.mjs';

it('the list of components has every library of the packed program and of our packages, with licence, and no tool of ours', async () => {
  await buildServerPackage();
  const { metadata, components, dependencies = [] } = await listComponents();
  const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  expect(names).toEqual(
    expect.arrayContaining(['better-sqlite3', 'sharp', 'pino', 'hono', '@hono/node-server', 'zod']),
  );
  expect(names).toEqual(expect.arrayContaining(publishedPackages().map(({ name }) => name)));
  const tools = /^(vitest|@biomejs|oxlint|playwright-core|drizzle-kit|esbuild|@esbuild|tsx$|@types\/)/;
  expect(names.filter((name) => tools.test(name))).toEqual([]);
  expect(components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);

  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set([metadata.component['bom-ref']]);
  for (const ref of reached) for (const other of needs.get(ref) ?? []) reached.add(other);
  expect(components.map((component) => component['bom-ref']).filter((ref) => !reached.has(ref))).toEqual([]);
});
