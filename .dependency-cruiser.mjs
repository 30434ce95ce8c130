// Who may import whom (docs: the map of packages in README.md). tests/architecture plants a violation of
// each of these rules and sees it fail.
// Test support stands beside the source, in `test-support`; what several packages share is packages/test-support.
const test = '\\.test\\.tsx?$|^(?:packages|apps)/[^/]+/test-support/|^packages/test-support/';

/** @param {string[]} names */
const npm = (...names) => `(?:^|/node_modules/)(?:${names.join('|')})(?:/|$)`;

/** Folders of one package, of which the first must not import the second. */
const upward = [
  ['packages/domain/src/evidence', 'packages/domain/src/verification'],
  ['packages/domain/src/verification', 'packages/domain/src/sandbox'],
  ['packages/web/src/dashboard', 'packages/web/src/review'],
  ['packages/web/src/review', 'packages/web/src/admin'],
  ['packages/web/src/staff', 'packages/web/src/account'],
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'domain-imports-only-zod',
      comment: 'The rules run anywhere: no Node, no adapter, no library but the one that describes shapes.',
      severity: 'error',
      from: { path: '^packages/domain/src/', pathNot: test },
      to: { pathNot: ['^packages/domain/src/', npm('zod')] },
    },
    {
      name: 'only-actions-use-services',
      comment:
        'Use cases behind actions check no rights: staff reaches them through an entry, which countersign.as runs.',
      severity: 'error',
      from: {
        path: '^packages/domain/src/',
        pathNot: ['^packages/domain/src/(?:actions/|countersign\\.ts$)', test],
      },
      to: { path: '^packages/domain/src/actions/services\\.ts$' },
    },
    {
      name: 'domain-tests-need-nothing',
      comment: 'The tests of the rules need a test runner and no I/O.',
      severity: 'error',
      from: { path: '^packages/domain/(?:src/.*\\.test\\.ts$|test-support/)' },
      to: { pathNot: ['^packages/domain/(?:src|test-support)/', npm('zod', 'vitest', 'fast-check')] },
    },
    {
      name: 'adapter-imports-only-domain',
      comment: 'Adapters meet in apps/server, and nowhere else.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/', pathNot: test },
      to: { path: '^packages/', pathNot: '^packages/(?:$1|domain)/' },
    },
    {
      name: 'http-knows-no-storage',
      comment: 'Any storage serves any driver; not even the tests of http need a database.',
      severity: 'error',
      from: { path: '^packages/http/src/' },
      to: { path: '^packages/storage-' },
    },
    {
      name: 'memory-does-no-io',
      comment: 'What tests and adopters run in memory has no way out of it. To compute a hash is not one.',
      severity: 'error',
      from: { path: '^packages/(?:memory|storage-contract)/src/' },
      to: { dependencyTypes: ['core'], pathNot: '^(?:node:)?crypto$' },
    },
    {
      name: 'only-server-composes',
      comment: 'Container, command line and logger belong to the application, not to what it is made of.',
      severity: 'error',
      from: { pathNot: '^apps/server/' },
      to: { path: npm('tsyringe', 'reflect-metadata', 'commander', 'pino') },
    },
    {
      name: 'nobody-imports-server',
      severity: 'error',
      from: { pathNot: '^apps/server/' },
      to: { path: '^apps/server/' },
    },
    {
      name: 'no-deep-imports',
      comment: 'What a package does not export from its index is its own business.',
      severity: 'error',
      from: { path: '^(?:packages|apps)/([^/]+)/' },
      to: {
        path: '^(?:packages|apps)/',
        pathNot: ['^(?:packages|apps)/$1/', '^packages/[^/]+/src/index\\.ts$', '^packages/test-support/'],
      },
    },
    {
      name: 'no-deep-imports',
      comment: 'The same for the tests that cross packages.',
      severity: 'error',
      from: { path: '^tests/' },
      to: { path: '^(?:packages|apps)/', pathNot: ['^packages/[^/]+/src/index\\.ts$', '^packages/test-support/'] },
    },
    {
      name: 'server-is-composed-from-above',
      comment: 'What serves requests is given its parts by composition/, and looks nothing up there.',
      severity: 'error',
      from: { path: '^apps/server/src/(?:serve|logging|metrics|config)/', pathNot: test },
      to: { path: '^apps/server/src/(?:composition|commands)/' },
    },
    ...upward.map(([from, to]) => ({
      name: 'rooms-import-downward',
      comment: 'What both folders need stands in a folder below them.',
      severity: /** @type {const} */ ('error'),
      from: { path: `^${from}/`, pathNot: test },
      to: { path: `^${to}/` },
    })),
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-tests-in-source',
      severity: 'error',
      from: { path: '^(?:packages|apps)/', pathNot: test },
      to: { path: [test, '^tests/'] },
    },
    {
      name: 'no-undeclared-dependencies',
      comment: 'What a published package runs on, its package.json says, and not among the devDependencies.',
      severity: 'error',
      from: { path: '^(?:packages|apps)/[^/]+/src/', pathNot: test },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm', 'npm-peer'],
      },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:packages|apps)/[^/]+/dist/' },
    // Types count: a type that crosses a boundary is a boundary crossed.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
    },
  },
};
