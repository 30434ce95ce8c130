// Minutes: it installs the generators of four languages and compiles what they write. document.test.ts checks what they need of the document.
import { cpSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idOf } from '@countersign/test-support/api/api-client';
import { type GivenApi, givenTestApi } from '@countersign/test-support/installation/customer';
import { type RecordedWebhook, startRecordingReceiver } from '@countersign/test-support/load/webhook-receivers';
import { type Environment, run } from '@countersign/test-support/processes/child-process';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { tool, userEnvironment } from '@countersign/test-support/processes/npm';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith } from '@countersign/test-support/servers';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DOCS = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
const AT_MOST_MS = 600_000;

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

/** The verifications that a client reads, beside its own. */
const OUTCOMES = [
  ['kyc', 'approved'],
  ['kyc', 'rejected'],
  ['kyc', 'action_needed'],
  ['kyb', 'approved'],
  ['kyb', 'action_needed'],
] as const;

interface Shop extends GivenApi {
  readonly env: Environment;
  readonly webhooks: readonly RecordedWebhook[];
  readonly secret: string;
}

/** A client with verifications of both types in several statuses, and an endpoint for webhooks. */
async function givenShop(): Promise<Shop> {
  const given = await givenTestApi(server);
  const ids = await Promise.all(
    OUTCOMES.map(async ([subjectType, sandboxOutcome]) => {
      const body = {
        subjectType,
        subjectReference: `${subjectType} ${sandboxOutcome}`,
        metadata: { sandboxOutcome, a: [1] },
      };
      return { id: idOf(await given.api.post(body)), sandboxOutcome };
    }),
  );
  for (const { id, sandboxOutcome } of ids) {
    await until(async () => (await given.api.get(`/verifications/${id}`)).body.data?.status === sandboxOutcome);
  }
  const receiver = await startRecordingReceiver();
  const endpoint = [
    '--client',
    given.clientId,
    '--name',
    'shop',
    '--url',
    receiver.url,
    '--types',
    'verification.created',
  ];
  const { secret } = await countersignHere<{ secret: string }>(['webhook', 'create', ...endpoint], server.env);
  return { ...given, env: { BASE: server.baseUrl, KEY: given.key }, webhooks: receiver.webhooks, secret };
}

/** A folder with the sample programs of a language and the programs that check them. */
function givenFolder(language: string, checks: Readonly<Record<string, string>> = {}): string {
  // On the disk: the packages take hundreds of megabytes.
  const folder = temporaryFolder(tmpdir());
  cpSync(join(import.meta.dirname, 'samples', language), folder, { recursive: true });
  for (const [check, place] of Object.entries(checks))
    cpSync(join(import.meta.dirname, 'checks', check), join(folder, place));
  return folder;
}

/** Returns the commands that docs/clients.md shows below a heading. */
function commandsOf(heading: string): string {
  const section = DOCS.split(`\n### ${heading}\n`)[1] ?? '';
  const [, commands = ''] = /```sh\n([^`]*)```/.exec(section) ?? [];
  return commands.replaceAll('http://127.0.0.1:8080/api/v1', server.baseUrl);
}

/** Runs commands of a shell. @returns the lines of their output */
async function shell(commands: string, cwd: string, env: Environment): Promise<readonly string[]> {
  const options = { cwd, env: { ...userEnvironment(), ...env }, atMostMs: AT_MOST_MS - 10_000 };
  const { code, stdout, stderr } = await run('sh', ['-ec', commands], options);
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  return stdout.split('\n');
}

/** Checks the output of a sample program. @returns the id of its verification */
function expectCalls(lines: readonly string[]): string {
  const of = (word: string) =>
    lines.flatMap((line) => (line.startsWith(`${word} `) ? line.slice(word.length + 1) : []));
  const [, id = ''] = /\/verify\/([0-9a-f-]{36})\.\S+$/.exec(of('created').join()) ?? [];
  expect(of('refused')).toEqual([`DUPLICATE_SUBJECT_REFERENCE ${id}`]);
  expect(of('read')).toEqual(['pending']);
  const steps = { kyc: 6, kyb: 7 };
  const others = OUTCOMES.map(([type, outcome]) => `${outcome} ${steps[type]}`);
  expect(of('details').toSorted()).toEqual([...others, 'pending 6'].toSorted());
  expect(of('withdrawn')).toEqual(['rejected']);
  return id;
}

/** Returns the environment with the webhook about a verification that the server sent. */
async function sentWebhook({ webhooks, secret }: Shop, id: string): Promise<Environment> {
  const about = () => webhooks.find(({ body }) => body.includes(id));
  await until(() => about() !== undefined);
  const { request, body } = about() as RecordedWebhook;
  const signed = [...request.headers].filter(([name]) => name.startsWith('webhook-'));
  return { HEADERS: JSON.stringify(Object.fromEntries(signed)), BODY: body, SECRET: secret };
}

function expectReceived(lines: readonly string[], id: string): void {
  expect(lines).toEqual(expect.arrayContaining([`received verification.created ${id}`, 'forged']));
}

describe('TypeScript', () => {
  it('@countersign/client: the sample of docs/clients.md runs, and its webhook is verified', async () => {
    const shop = await givenShop();
    const node = `${process.execPath} --conditions=source`;
    const id = expectCalls(await shell(`${node} samples/typescript/calls.ts`, import.meta.dirname, shop.env));
    expectReceived(
      await shell(`${node} checks/check-webhook.ts`, import.meta.dirname, await sentWebhook(shop, id)),
      id,
    );
  });

  it(
    'openapi-typescript: the generated types compile, and the sample runs',
    async () => {
      const shop = await givenShop();
      const folder = givenFolder('typescript');
      expectCalls(
        await shell(`echo '{"type":"module"}' >package.json\n${commandsOf('Types alone')}`, folder, shop.env),
      );
      const options = [
        '--strict',
        '--noEmit',
        '--allowImportingTsExtensions',
        '--module',
        'NodeNext',
        '--types',
        'node',
      ];
      const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--target', 'ES2024'];
      await tool(join(ROOT, 'node_modules/typescript/bin/tsc'), [...options, ...types, 'generated.ts'], folder);
    },
    AT_MOST_MS,
  );
});

describeWith(['python3'], 'Python', () => {
  it(
    'openapi-python-client: the sample runs, and its webhook is verified',
    async () => {
      const shop = await givenShop();
      const folder = givenFolder('python', { 'check_webhook.py': 'check_webhook.py' });
      const id = expectCalls(await shell(commandsOf('Python'), folder, shop.env));
      expectReceived(await shell('.venv/bin/python check_webhook.py', folder, await sentWebhook(shop, id)), id);
    },
    AT_MOST_MS,
  );
});

describeWith(['go', 'curl'], 'Go', () => {
  it(
    'oapi-codegen: the sample compiles and runs, and its webhook is verified',
    async () => {
      const shop = await givenShop();
      const folder = givenFolder('go', { 'webhook_test.go': 'webhook_test.go' });
      const bin = join(folder, 'bin');
      const path = { GOBIN: bin, PATH: `${bin}:${process.env.PATH}` };
      const id = expectCalls(await shell(commandsOf('Go'), folder, { ...shop.env, ...path }));
      expectReceived(await shell('go vet . && go test -count=1 -v .', folder, await sentWebhook(shop, id)), id);
    },
    AT_MOST_MS,
  );
});

describeWith(['maven', 'curl'], 'Java', () => {
  it(
    'openapi-generator: the sample compiles and runs, and its webhook is verified',
    async () => {
      const shop = await givenShop();
      const folder = givenFolder('java', { 'CheckWebhook.java': 'src/main/java/CheckWebhook.java' });
      const id = expectCalls(await shell(commandsOf('Java'), folder, shop.env));
      const check = commandsOf('Java')
        .split('\n')
        .filter((line) => line.startsWith('mvn'))
        .join('\n')
        .replace('Calls', 'CheckWebhook');
      expectReceived(await shell(check, folder, await sentWebhook(shop, id)), id);
    },
    AT_MOST_MS,
  );
});
