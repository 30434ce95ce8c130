// What is mutated, and the tests that look at each part first.
import { globSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

const DOMAIN = 'packages/domain/src';

/** @param {string} folder */
const ofDomain = (folder) => ({
  mutate: [`${DOMAIN}/${folder}/**/*.ts`],
  tests: [`${DOMAIN}/${folder}/**/*.test.ts`],
});

const WEB = 'packages/web/src';

/**
 * Makes the target of a folder of web, without further tests: all tests of web take as long as hundreds of mutants.
 * @param {string} folder
 * @param {readonly string[]} pages other tests of pages that this folder draws
 */
const ofWeb = (folder, pages = []) => ({
  mutate: [`${WEB}/${folder}/**/*.{ts,tsx}`],
  tests: [`${WEB}/${folder}/**/*.test.{ts,tsx}`, ...pages],
  further: [],
});

/**
 * A target has files to mutate and the tests nearest to them: patterns, or the contract kit. A mutant that these do not kill meets the sets
 * of `further` tests one after the other, by default `FURTHER_TESTS`. An empty `further` ends with the nearest tests.
 * @typedef {{ mutate: readonly string[], tests: readonly string[] | 'kit', further?: readonly (readonly string[])[] }} Target
 * @type {Record<string, Target>}
 */
export const TARGETS = {
  access: ofDomain('access'),
  'rate-limit': ofDomain('rate-limit'),
  staff: ofDomain('staff'),
  subscription: ofDomain('subscription'),
  audit: ofDomain('audit'),
  overview: ofDomain('overview'),
  verification: { mutate: [`${DOMAIN}/verification/*.ts`], tests: [`${DOMAIN}/verification/*.test.ts`] },
  steps: ofDomain('verification/steps'),
  warnings: ofDomain('verification/warnings'),
  readings: {
    ...ofDomain('verification/readings'),
    tests: [`${DOMAIN}/verification/readings/**/*.test.ts`, 'tests/use-cases/readings.test.ts'],
  },
  actions: ofDomain('actions'),
  core: ofDomain('core'),
  fields: ofDomain('fields'),
  reading: ofDomain('reading'),
  matching: ofDomain('matching'),
  evidence: ofDomain('evidence'),
  sandbox: ofDomain('sandbox'),
  transfer: ofDomain('transfer'),
  retention: ofDomain('retention'),
  erasure: ofDomain('erasure'),
  exports: ofDomain('exports'),
  webhooks: ofDomain('webhooks'),
  // Most of its rules are tested where mails are sent.
  mail: { ...ofDomain('mail'), tests: [...ofDomain('mail').tests, 'tests/use-cases/mails.test.ts'] },
  mailing: ofDomain('mailing'),
  domain: {
    mutate: [`${DOMAIN}/*.ts`, `${DOMAIN}/input/*.ts`],
    tests: [`${DOMAIN}/*.test.ts`, `${DOMAIN}/input/*.test.ts`],
  },
  sealing: { mutate: ['packages/sealing/src/**/*.ts'], tests: ['packages/sealing/src/**/*.test.ts'] },
  // The kit is its tests. What no case reaches, such as long ranges and odd keys, has tests beside it.
  'storage-keyvalue': {
    mutate: ['packages/storage-keyvalue/src/**/*.ts'],
    tests: 'kit',
    further: [['packages/storage-keyvalue/src/**/*.test.ts']],
  },
  // No other fast test creates rows: those of the storages need a database.
  tables: { mutate: ['packages/tables/src/**/*.ts'], tests: ['packages/tables/src/**/*.test.ts'], further: [] },
  // On SQLite alone; `npm run test:rest` runs the same cases on Postgres. No other fast test opens accounts on a database.
  accounts: {
    mutate: ['packages/accounts/src/**/*.ts'],
    tests: ['packages/accounts/src/**/*.test.ts'],
    further: [],
  },
  'web-actions': ofWeb('actions', [
    `${WEB}/forms/kept-form.test.ts`,
    `${WEB}/dashboard/{flow-settings,reason-templates,return-addresses}.test.ts`,
    `${WEB}/dashboard/{keys/keys,verifications/create}.test.ts`,
  ]),
  'web-review': ofWeb('review', [`${WEB}/actions/new-action.test.ts`]),
  // The pipeline that authenticates a request and checks its limit and its permission.
  authentication: {
    mutate: ['packages/http/src/handle.ts', 'packages/http/src/routes.ts'],
    tests: ['packages/http/src/*.test.ts'],
  },
};

/**
 * Returns a target by its name, or one file of a target by its path.
 * @param {string} name
 * @returns {Target | undefined}
 */
export function targetOf(name) {
  const whole = Object.hasOwn(TARGETS, name) ? TARGETS[name] : undefined;
  const around = Object.values(TARGETS).find(({ mutate }) => filesOf(mutate).includes(name));
  return whole ?? (around && { ...around, mutate: [name] });
}

/** Each takes more than a second: a mutant that lives meets them all. */
const LONG_TESTS = [
  'packages/domain/src/subscription/colours.test.ts',
  'packages/http/src/{generated-requests,node,node-download,read-file}.test.ts',
  'packages/http/src/openapi/document.test.ts',
  'packages/sealing/src/sealed-storage.contract.test.ts',
  'packages/storage-contract/src/{copied,counted-reads,readable,storage-contract}.test.ts',
  'tests/use-cases/{core-only-actions,data-states,index-rebuild,planted-reuse,readings,retention,review-search}.test.ts',
];

/** The fast tests that know one of the packages under mutation, the long ones last. */
export const FURTHER_TESTS = [
  [
    'packages/{domain,http,sealing,memory,storage-contract,storage-keyvalue}/src/**/*.test.ts',
    'tests/use-cases/*.test.ts',
    ...LONG_TESTS.map((pattern) => `!${pattern}`),
  ],
  LONG_TESTS,
];

/**
 * Mutators that are left out. There is no type checker for mutants (TypeScript 7 has no compiler API), and nearly all
 * mutants of these two either do not compile (a code that is not in its union, an object without its properties) or
 * change a text that people read.
 */
export const EXCLUDED_MUTATORS = ['StringLiteral', 'ObjectLiteral'];

/**
 * @param {readonly string[]} patterns
 * @returns {string[]} the files with rules: no tests, no lists of exports, and not `lazily`, which `lazily.mjs` replaces
 */
export function filesOf(patterns) {
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|\/(index|lazily)\.ts$/.test(file))
    .sort();
}
