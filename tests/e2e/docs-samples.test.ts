// Pastes each command of the documentation into a shell.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@countersign/client';
import { givenClientOf, givenTestTwinOf } from '@countersign/test-support/installation/operator';
import { run } from '@countersign/test-support/processes/child-process';
import { tool } from '@countersign/test-support/processes/npm';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith } from '@countersign/test-support/servers';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

let server: ServerProcess;
/** Each sample of `/docs` and its guides, with the page that shows it. */
let samples: readonly { readonly title: string; readonly text: string; readonly page: string }[];

beforeAll(async () => {
  server = await startServer();
  const read = async (path: string) => (await fetch(server.origin + path)).text();
  // The overview links to every guide, and the reference to the page of every operation.
  const links = [await read('/docs'), await read('/docs/reference')].flatMap((html) =>
    [...html.matchAll(/href="(\/docs[^"#]*)"/g)].map(([, path = '']) => path),
  );
  const paths = [...new Set(links)];
  const pages = await Promise.all(paths.map(async (page) => ({ page, html: await read(page) })));
  samples = pages.flatMap(({ page, html }) =>
    [...html.matchAll(/class="sample-title">([^<]*)<.*?<pre[^>]*><code>(.*?)<\/code>/gs)].map(
      ([, title = '', text = '']) => ({ title, text: decoded(text), page }),
    ),
  );
});

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

function decoded(html: string): string {
  return html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '');
}

const textsOf = (title: string) => samples.filter((sample) => sample.title === title);

describeWith(['curl'], 'each curl command of /docs', () => {
  it('each curl command of /docs is accepted when pasted, apart from the example of an id', async () => {
    const { key } = await givenClientOf(server);
    const commands = textsOf('curl');
    expect(commands.length).toBeGreaterThan(8);
    for (const { text, page } of commands) {
      const { code, stdout, stderr } = await run('sh', ['-c', text], { env: { BASE: server.baseUrl, KEY: key } });
      // Would save a file: the example of an id gets 404.
      if (text.includes(' -fOJ ')) {
        expect(`${code} ${stderr}`, text).toMatch(/^22 .*: 404/);
        continue;
      }
      expect(code, text).toBe(0);
      const body = JSON.parse(stdout) as { success?: boolean; openapi?: string; code?: string };
      const isAnswered = body.success === true || body.openapi !== undefined;
      const hasExampleId = text.includes('01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602');
      expect(isAnswered || (hasExampleId && body.code === 'VERIFICATION_NOT_FOUND'), `${page}: ${stdout}`).toBe(
        true,
      );
    }
  });
});

describeWith(['python3'], 'the first request of /docs in Python', () => {
  it('creates a verification and prints the link of the subject', async () => {
    const { key } = await givenClientOf(server);
    const sample = textsOf('Python').find(({ text }) => text.includes('urllib'));
    const { code, stdout } = await run('python3', ['-c', sample?.text ?? ''], {
      env: { BASE: server.baseUrl, KEY: key },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^https?:\/\/\S+\/verify\/\S+\n$/);
  });
});

/** The TypeScript samples of docs/clients.md, apart from the one with generated types. */
function samplesOfClients(): { readonly text: string }[] {
  const shown = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms);
  return [...shown].map(([, text = '']) => ({ text })).filter(({ text }) => !text.includes('./countersign.ts'));
}

describe('each TypeScript sample of /docs and of docs/clients.md', () => {
  it('type-checks with the client', async () => {
    const ofDocs = textsOf('TypeScript').filter(({ text }) => !text.includes('createWeb('));
    const ofClients = samplesOfClients();
    expect(Math.min(ofDocs.length, ofClients.length * 2)).toBeGreaterThan(9);
    const programs = [...ofDocs, ...ofClients];
    const folder = temporaryFolder();
    for (const [index, { text }] of programs.entries()) {
      writeFileSync(
        join(folder, `sample-${index}.ts`),
        `${text.includes('import ') ? '' : HEAD}${text}\nexport {};\n`,
      );
    }
    writeFileSync(join(folder, 'given.d.ts'), GIVEN);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2024',
      module: 'NodeNext',
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      skipLibCheck: true,
      customConditions: ['source'],
      allowImportingTsExtensions: true,
      paths: { '@countersign/client': [join(ROOT, 'packages/client/src/index.ts')] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    await tool(join(ROOT, 'node_modules/typescript/bin/tsc'), ['-p', '.'], folder);
  });
});

describe('the test for CI of /docs/guides/your-tests', () => {
  it('passes with a key of test mode, and fails with one of live mode before it creates anything', async () => {
    const { clientId, key } = await givenClientOf(server);
    const twin = await givenTestTwinOf(server, clientId);
    const sample = textsOf('TypeScript').find(({ text }) => text.includes('node:test'));
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'node_modules/@countersign'), { recursive: true });
    symlinkSync(join(ROOT, 'packages/client'), join(folder, 'node_modules/@countersign/client'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(folder, 'ci.test.ts'), sample?.text ?? '');
    const inCi = (testKey: string) =>
      run(process.execPath, ['--conditions=source', 'ci.test.ts'], {
        cwd: folder,
        env: { COUNTERSIGN_URL: server.baseUrl, COUNTERSIGN_TEST_KEY: testKey },
      });
    const [withTestKey, withLiveKey] = await Promise.all([inCi(twin.key), inCi(key)]);
    expect([withTestKey.code, withLiveKey.code], withTestKey.stdout).toEqual([0, 1]);
    expect(withLiveKey.stdout).toContain('WRONG_MODE');
    const { pagination } = await createClient({ baseUrl: server.baseUrl, apiKey: key }).verifications.list();
    expect(pagination.totalCount).toBe(0);
  });
});

const HEAD = "import { CountersignApiError } from '@countersign/client';\nvoid CountersignApiError;\n";

/** What the samples take from the program around them. */
const GIVEN = `import type { CountersignClient } from '@countersign/client';
declare global {
  const client: CountersignClient;
  const order: { readonly id: string; readonly customerId: string };
  const request: Request;
  /** The id of a verification. */
  const id: string;
  const response: { redirect(status: number, url: string): void };
  function approve(verificationId: string, eventId: string): void;
}
`;
