// Packs and installs every package, and builds programs on them: only tarballs show what they lack.
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extent } from '@countersign/test-support/installation/extent';
import { run } from '@countersign/test-support/processes/child-process';
import { npm, tool } from '@countersign/test-support/processes/npm';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, describe, expect, it } from 'vitest';
import { pack } from '../../scripts/pack.mjs';
import { runPnpm } from '../../scripts/pnpm.mjs';
import { dependenciesOf } from './dependencies.ts';
import { startApi } from './started-api.ts';

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');

/** The programs of the consumer. */
const PROGRAMS = [
  new URL('./consumer/client.ts', import.meta.url),
  new URL('./consumer/core-only.ts', import.meta.url),
  new URL('./consumer/durable.spec.ts', import.meta.url),
  new URL('./consumer/embed.ts', import.meta.url),
  new URL('./consumer/errors.ts', import.meta.url),
  new URL('./consumer/in-memory.ts', import.meta.url),
  new URL('./consumer/key-value.spec.ts', import.meta.url),
  new URL('./consumer/mount.ts', import.meta.url),
  new URL('./consumer/pages.ts', import.meta.url),
  new URL('./consumer/webhooks.ts', import.meta.url),
  new URL('./consumer/whole.ts', import.meta.url),
  new URL('./consumer/adapter.spec.ts', import.meta.url),
].map((url) => fileURLToPath(url));

/** The service of an adopter: copied as it is, and tested on the packed packages. */
const EXAMPLE_SERVICE = join(ROOT, 'apps/embed-example');

/** The oldest vitest that the contract kit supports. The tests of this repository run the kit on the newest. */
const { vitest: supported = '' } = manifestIn(join(ROOT, 'packages/storage-contract')).peerDependencies ?? {};
const vitest = /^\^([\d.]+)/.exec(supported)?.[1] ?? '';

/** Returns the specifiers of all entries of the packages: `@countersign/domain/storage`. */
const specifiersOf = (names: readonly string[]) =>
  names.flatMap((name) => Object.keys(manifestIn(installed(name)).exports).map((subpath) => join(name, subpath)));

/** Names types of drizzle-orm, whose declarations do not type-check in a strict program. */
const OVER_DRIZZLE = '@countersign/statements';

/** Matches the example in a package's README. */
const EXAMPLE = /^```ts\n(.*?)^```$/ms;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** The published packages, with their folders. */
const packages = readdirSync(join(ROOT, 'packages'))
  .map((folder) => ({ folder: join(ROOT, 'packages', folder), ...manifestIn(join(ROOT, 'packages', folder)) }))
  .filter((manifest) => manifest.private !== true);
const names = packages.map(({ name }) => name);

let tarballs: ReadonlyMap<string, string>;
const consumer = temporaryFolder(tmpdir());
const tarballOf = (name: string) => tarballs.get(name) ?? `${name} was not packed`;
const installed = (name: string) => join(consumer, 'node_modules', name);

/** The environment of the consumer's tests. Their data is in memory, like that of other tests. */
const VITEST = { CI: '1', TMPDIR: temporaryFolder() };

/**
 * Installs the packed packages in an empty folder, without install scripts. `npm run test:long` installs them with npm, as an
 * adopter does; the short form installs with pnpm, which makes the same flat folder in a tenth of the processor time.
 */
async function installPacked(): Promise<void> {
  const packed = Object.fromEntries(names.map((name) => [name, `file:${tarballOf(name)}`]));
  const libraries = Object.entries(manifestIn(EXAMPLE_SERVICE).dependencies ?? {}).filter(
    ([name]) => !(name in packed),
  );
  const dependencies = { ...Object.fromEntries(libraries), ...packed };
  writeFileSync(
    join(consumer, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module', dependencies, devDependencies: { vitest } }),
  );
  if (extent({ full: 1, short: 0 }) === 1) {
    const quiet = ['--no-audit', '--no-fund'];
    await npm(['install', '--prefix', consumer, '--prefer-offline', '--ignore-scripts', ...quiet], consumer);
    return;
  }
  // The packages depend on each other by version, and pnpm looks for versions in the registry only.
  const settings = { nodeLinker: 'hoisted', overrides: packed };
  writeFileSync(join(consumer, 'pnpm-workspace.yaml'), JSON.stringify(settings));
  const installing = await runPnpm(['--dir', consumer, 'install', '--prefer-offline', '--ignore-scripts']);
  expect(installing).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  tarballs = await pack(temporaryFolder(tmpdir()), names);
  cpSync(join(EXAMPLE_SERVICE, 'src'), join(consumer, 'service/src'), { recursive: true });
  for (const file of PROGRAMS) copyFileSync(file, join(consumer, basename(file)));
  await installPacked();
}, 300_000);

describe.concurrent.each(names)('%s, packed', (name) => {
  it('contains its build, source, source maps, README and licence, and no tests', () => {
    const folder = packages.find((manifest) => manifest.name === name)?.folder ?? '';
    const has = (file: string) => existsSync(join(installed(name), file));
    const always = ['LICENSE', 'README.md', 'src/index.ts', 'dist/index.js', 'dist/index.d.ts'];
    expect(always.filter((file) => !has(file))).toEqual([]);
    // Editors and stack traces follow the source maps to the source. (A built file without a source in the repository
    // is left over from an earlier build.)
    const built = globSync('dist/**/*.{js,d.ts}', { cwd: installed(name) });
    const sources = built
      .map((file) => file.replace(/^dist/, 'src').replace(/(\.d\.ts|\.js)$/, ''))
      .flatMap((module) => [`${module}.ts`, `${module}.tsx`]);
    expect(sources.filter((file) => existsSync(join(folder, file)) && !has(file))).toEqual([]);
    expect(built.filter((file) => !has(`${file}.map`))).toEqual([]);
    expect(globSync('**/*.{test.*,tsbuildinfo}', { cwd: installed(name) })).toEqual([]);
  });

  it('depends on released versions only, and its exports resolve to the build', () => {
    const { version, dependencies = {}, peerDependencies = {}, exports } = manifestIn(installed(name));
    for (const [dependency, range] of Object.entries({ ...dependencies, ...peerDependencies })) {
      expect(range, dependency).toMatch(/^[\^~]?\d+\.\d+\.\d+( \|\| [\^~]\d+\.\d+\.\d+)*$/);
      if (names.includes(dependency)) expect(range, dependency).toBe(version);
    }
    expect(JSON.stringify(exports)).not.toMatch(/source|\/src\//);
  });
});

describe('the packages together', () => {
  it('pass publint and attw', async () => {
    const output = await tool(join(import.meta.dirname, 'lint-tarballs.mjs'), names.map(tarballOf), ROOT);
    const complaints = output
      .trim()
      .split('\n')
      .map((line, index) => [names[index], JSON.parse(line) as unknown]);
    expect(complaints).toEqual(names.map((name) => [name, []]));
  });

  it('resolve at every documented subpath', async () => {
    const specifiers = specifiersOf(names);
    const imports = specifiers.map((specifier) => {
      const options = specifier.endsWith('.json') ? `, { with: { type: 'json' } }` : '';
      return `['${specifier}', Object.keys(await import('${specifier}'${options})).length]`;
    });
    const program = `console.log(JSON.stringify([${imports.join(', ')}]))`;
    const output = await tool('--input-type=module', ['--eval', program], consumer);
    const found = JSON.parse(output) as [string, number][];
    expect(found.filter(([, names]) => names > 0).map(([specifier]) => specifier)).toEqual(specifiers);
  });

  it('include their migrations, stylesheets, scripts and texts', () => {
    const ours = globSync('packages/*/{migrations,assets,src/locales}/**/*.{sql,json,css,js,svg}', { cwd: ROOT });
    const kinds = new Set(ours.map((file) => file.split('/')[2]));
    expect([...kinds].sort()).toEqual(['assets', 'migrations', 'src']);
    for (const file of ours) {
      const [, folder = '', ...rest] = file.split('/');
      const name = manifestIn(join(ROOT, 'packages', folder)).name;
      expect(existsSync(join(installed(name), ...rest)), `${name}: ${rest.join('/')}`).toBe(true);
    }
  });

  it('the packages together are installed once each, from the tarballs', () => {
    const copies = globSync('node_modules/**/@countersign/*/package.json', { cwd: consumer });
    expect(copies.sort()).toEqual(names.map((name) => join('node_modules', name, 'package.json')).sort());
  });

  it('run no install script, nor does any package that they depend on; two have a binary, which they ship', () => {
    const all = dependenciesOf(consumer, names);
    expect(all.length).toBeGreaterThan(names.length + 20);
    expect(all.filter(({ runsScripts }) => runsScripts).map(({ name }) => name)).toEqual([]);
    const native = all.filter(({ hasBinary }) => hasBinary).map(({ name }) => name);
    expect(native.map((name) => name.replace(/^(@img\/sharp)-.+/, '$1'))).toEqual(
      expect.arrayContaining(['better-sqlite3', '@img/sharp']),
    );
    expect(native.filter((name) => name !== 'better-sqlite3' && !name.startsWith('@img/sharp'))).toEqual([]);
  });

  it('type-check with their declarations in strict programs and in the first examples of their READMEs and docs/clients.md', async () => {
    const options = {
      compilerOptions: {
        strict: true,
        noEmit: false,
        target: 'ES2024',
        module: 'NodeNext',
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        rootDir: '.',
        outDir: 'built',
        types: ['node'],
        typeRoots: [join(MODULES, '@types')],
        // Checks the declarations of the packages too, and of all libraries that they name.
        skipLibCheck: false,
      },
      include: ['*.ts'],
    };
    const pages = [...packages.map(({ folder }) => join(folder, 'README.md')), join(ROOT, 'docs/clients.md')];
    const examples = pages.map((page) => {
      const [, example = ''] = EXAMPLE.exec(readFileSync(page, 'utf8')) ?? [];
      expect(example, page).toMatch(/^import /);
      const name = `example-of-${basename(dirname(page))}-${basename(page, '.md')}`;
      writeFileSync(join(consumer, `${name}.ts`), example);
      return name;
    });
    const entries = specifiersOf(names.filter((name) => name !== OVER_DRIZZLE)).filter(
      (specifier) => !specifier.endsWith('.json'),
    );
    writeFileSync(
      join(consumer, 'entries.ts'),
      entries.map((entry) => `export type {} from '${entry}';\n`).join(''),
    );
    const apart = `example-of-${basename(OVER_DRIZZLE)}-README.ts`;
    writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ ...options, exclude: [apart] }));
    writeFileSync(join(consumer, 'tsconfig.apart.json'), JSON.stringify({ ...options, include: [apart] }));
    const tsc = join(MODULES, 'typescript/bin/tsc');
    await tool(tsc, ['-p', '.'], consumer);
    const { stdout } = await run(process.execPath, [tsc, '-p', 'tsconfig.apart.json'], { cwd: consumer });
    // Lines that explain an error are indented.
    const errors = stdout.split('\n').filter((line) => /^\S/.test(line));
    expect(errors.filter((line) => !line.startsWith('node_modules/drizzle-orm/'))).toEqual([]);

    const built = readdirSync(join(consumer, 'built')).filter((file) => file.endsWith('.js'));
    expect(built.length).toBe(PROGRAMS.length + examples.length + 1);
  });
});

describe.concurrent('a program that embeds the core', () => {
  const runBuilt = async (file: string, env = {}) => {
    const output = await tool(join(consumer, 'built', file), [], consumer, env);
    return output.trim();
  };

  it('lists and withdraws over five ports of memory, as docs/embedding.md shows', async () => {
    expect(await runBuilt('core-only.js')).toBe('1 rejected');
  });

  it('creates a verification over SQLite, as docs/embedding.md shows', async () => {
    mkdirSync(join(consumer, 'data'));
    const output = await runBuilt('embed.js', { SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
    expect(output).toMatch(/^Send the subject to https:\/\/verify\.example\/verify\/[\w-]+\.[\w-]{43}$/);
    expect(existsSync(join(consumer, 'data/countersign.db'))).toBe(true);
  });

  it('enforces the monthly limit over memory, without I/O', async () => {
    expect(await runBuilt('in-memory.js')).toBe(
      JSON.stringify(['2026-03-01T10:00:00.000Z', true, '2026-04-01T00:00:00.000Z']),
    );
  });

  it('answers errors of the core with the statuses of the API, as docs/embedding.md shows', async () => {
    expect(await runBuilt('errors.js')).toMatch(
      /^404 \{"success":false,"error":"[^"]+","code":"VERIFICATION_NOT_FOUND"\}$/,
    );
  });

  it('mounts the API in its application', async () => {
    expect(await runBuilt('mount.js')).toBe('[200,200,200]');
  });

  it('mounts the pages in its application, with its own sign-in', async () => {
    expect(await runBuilt('pages.js')).toBe('303 200 303 200');
  });

  it('sends the webhooks of its storage, and a receiver verifies them', async () => {
    expect(await runBuilt('webhooks.js')).toBe('verification.created');
  });

  it('calls the API with the typed client', async () => {
    const { origin, key } = await startApi();
    const output = await tool(join(consumer, 'built/client.js'), [origin, key], consumer);
    expect(output.trim().split('\n')).toEqual([
      'pending {"name":"Zoë"} 6 1 1',
      'DUPLICATE_SUBJECT_REFERENCE INVALID_API_KEY REDIRECT_REFUSED TIMEOUT CONNECTION_FAILED TimeoutError',
      'rejected',
      'verification.approved WebhookVerificationError',
    ]);
  });

  it('serves everything the server serves, with sealed storage, accounts and files', async () => {
    mkdirSync(join(consumer, 'whole'));
    const [statuses, title, ...kept] = (await runBuilt('whole.js')).split('\n');
    expect(statuses).toBe('201 200 303 200 200 200 200');
    expect(title).toBe('Acme bittet Sie, Ihre Identität zu bestätigen');
    expect(kept).toEqual(['image/jpeg 0', 'application/pdf 1']);
  });

  it('tests its storage adapter with the contract kit, on the oldest supported vitest', async () => {
    expect(manifestIn(installed('vitest')).version).toBe(vitest);
    const program = join(installed('vitest'), 'vitest.mjs');
    const output = await tool(program, ['run', '--dir', '.', '--no-color', 'adapter.spec.ts'], consumer, VITEST);
    expect(output).toMatch(/Tests\s+\d{3,} passed/);
    expect(output).not.toMatch(/failed|skipped/);
  });

  it('stores on LMDB by an adapter of its own, and signs its users in, as apps/embed-example shows', async () => {
    const output = await tool(
      join(installed('vitest'), 'vitest.mjs'),
      ['run', '--dir', 'service', '--no-color'],
      consumer,
      VITEST,
    );
    expect(output).toMatch(/Test Files\s+3 passed/);
    expect(output).toMatch(/Tests\s+\d{3,} passed/);
    expect(output).not.toMatch(/failed|skipped/);
  });
});
