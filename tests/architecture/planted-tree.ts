import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export const root: string = join(import.meta.dirname, '../..');

const settings = ['.dependency-cruiser.mjs', 'biome.json', 'quality', 'scripts', '.gitignore'];

/**
 * Copies packages, apps, scripts and the settings of the check into the folder, so that a test can add files that
 * break a rule. Links the workspace packages to their copies, so that imports between them stay in the copied tree.
 */
export function copyTree(folder: string): void {
  copySettings(folder);
  for (const dependency of dependenciesOf('.')) linkDependency(folder, '.', dependency);
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(root, group))) {
      const part = join(group, name);
      if (!existsSync(join(root, part, 'package.json'))) continue;
      cpSync(join(root, part), join(folder, part), { recursive: true, filter: isSource });
      for (const dependency of dependenciesOf(part)) linkDependency(folder, part, dependency);
    }
  }
}

/** Copies the settings of the check. */
export function copySettings(folder: string): void {
  for (const name of settings) cpSync(join(root, name), join(folder, name), { recursive: true });
}

/** Makes a package's dependency resolvable in the copied tree, as an entry in its package.json would. */
export function linkDependency(folder: string, part: string, dependency: string, from: string = part): void {
  const link = join(folder, part, 'node_modules', dependency);
  const [scope, name] = dependency.split('/');
  const target =
    scope === '@countersign'
      ? join(folder, 'packages', name ?? '')
      : realpathSync(join(root, from, 'node_modules', dependency));
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link);
}

export function plant(folder: string, file: string, source: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), source);
}

function isSource(path: string): boolean {
  return !['node_modules', 'dist'].includes(basename(path));
}

function dependenciesOf(part: string): string[] {
  const manifest: { dependencies?: object; devDependencies?: object } = JSON.parse(
    readFileSync(join(root, part, 'package.json'), 'utf8'),
  );
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
}
