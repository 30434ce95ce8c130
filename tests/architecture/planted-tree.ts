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
import { dirname, join } from 'node:path';

export const root: string = join(import.meta.dirname, '../..');

const settings = ['.dependency-cruiser.mjs', 'biome.json', 'quality', '.gitignore'];

/**
 * Makes the folder a repository with the same packages, apps, dependencies and settings of the check, but without their code:
 * an `index.ts` is empty. Tests add files that break a rule.
 */
export function makeTree(folder: string): void {
  copySettings(folder);
  for (const group of ['packages', 'apps']) {
    for (const name of readdirSync(join(root, group))) {
      const part = join(group, name);
      const manifest = join(part, 'package.json');
      if (!existsSync(join(root, manifest))) continue;
      plant(folder, manifest, readFileSync(join(root, manifest), 'utf8'));
      plant(folder, join(part, 'src/index.ts'), 'export {};\n');
      for (const dependency of dependenciesOf(part)) linkDependency(folder, part, dependency);
    }
  }
}

/** Copies the settings of the check. */
export function copySettings(folder: string): void {
  for (const name of settings) cpSync(join(root, name), join(folder, name), { recursive: true });
}

/** Makes a package's dependency resolvable in the made tree, as an entry in its package.json would. */
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

function dependenciesOf(part: string): string[] {
  const manifest: { dependencies?: object; devDependencies?: object } = JSON.parse(
    readFileSync(join(root, part, 'package.json'), 'utf8'),
  );
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
}
