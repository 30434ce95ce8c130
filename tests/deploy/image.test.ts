// Carries out the steps of the Dockerfile, which pack and start the program.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiClient, newSubject } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { type Environment, run, start } from '@countersign/test-support/processes/child-process';
import { freePort } from '@countersign/test-support/processes/free-port';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, startPostgres, startRedis } from '@countersign/test-support/servers';
import { beforeAll, expect, it } from 'vitest';
import { pack } from '../../scripts/pack.mjs';
import { compose, makeSecrets, type SERVERS } from './compose.ts';
import { execForm, propertiesOf, readStages, type Stage, stepOf } from './dockerfile.ts';
import { carryOut, environmentIn, type ImageFolder, newImageFolder, startAs } from './image-folder.ts';

const [build, image] = readStages() as [Stage, Stage];
const USER = stepOf(image, 'USER').text;

describeWith(['postgres', 'redis'], 'the steps of the Dockerfile, in an empty folder', () => {
  const folder = newImageFolder();

  beforeAll(async () => {
    const built = newImageFolder();
    const isFull = extent({ full: 1, short: 0 }) === 1;
    // The short form takes the tarball that this tree packs.
    const tarballs = isFull ? undefined : temporaryFolder(tmpdir());
    if (tarballs !== undefined) await pack(tarballs, ['@countersign/server']);
    const steps = build.steps.map(({ keyword, text }) => ({
      keyword,
      text: tarballs === undefined ? text : text.replace('/build/tarballs', tarballs),
    }));
    const skipped = (text: string) => !isFull && (text === '. .' || text === 'npm run pack');
    carryOut({ ...build, steps }, built, {}, skipped);
    // Debian's packages belong to the image, not to this machine.
    carryOut(image, folder, { build: built }, (text) => text.startsWith('apt-get '));
  }, 600_000);

  it('make a program that migrates and serves with the environment of compose.yaml, read-only but for its volumes', async () => {
    const postgres = await startPostgres({ fsync: false });
    const redis = await startRedis();
    const secrets = makeSecrets();
    replaceSecret(join(secrets, 'database_url'), await postgres.createDatabase());
    const volumes = (JSON.parse(stepOf(image, 'VOLUME').text) as string[]).map((volume) => folder.here(volume));
    const { command: before, isReadOnly } = startAs(USER, volumes);
    const port = await freePort();
    const environmentOf = (name: (typeof SERVERS)[number]): Environment => {
      const env: Environment = { ...propertiesOf(image, 'ENV'), ...compose.services[name]?.environment };
      const changed = Object.entries(env).map(([key, value]) => [
        key,
        value
          .replace('/run/secrets', secrets)
          .replace('redis://redis:6379', redis.url)
          .replace(/\$\{PUBLIC_NAME:-\w+\}/, 'verify.example'),
      ]);
      return environmentIn(folder, {
        ...Object.fromEntries(changed),
        PORT: String(port),
        STOP_DELAY_SECONDS: '0',
      });
    };
    const [entry = ''] = execForm(stepOf(image, 'ENTRYPOINT'));
    const commandOf = (args: readonly string[]) => [
      ...before,
      folder.here(`/opt/countersign/bin/${entry}`),
      ...args,
    ];
    const runIn = (args: readonly string[]) => {
      const [program = '', ...rest] = commandOf(args);
      return run(program, rest, { env: environmentOf('migrate') });
    };

    const migrated = await runIn(compose.services.migrate?.command ?? []);
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    const created = await runIn(['client', 'create', '--name', 'Acme', '--plan', 'standard', '--json']);
    const { id } = JSON.parse(created.stdout) as { id: string };
    const issued = await runIn(['key', 'create', '--client', id, '--permissions', '*', '--json']);
    const { key } = JSON.parse(issued.stdout) as { key: string };

    const [program = '', ...rest] = commandOf(execForm(stepOf(image, 'CMD')));
    const server = start(program, rest, { env: environmentOf('server-1') });
    await server.says(/"listening"/);
    const answer = await createApiClient(`http://127.0.0.1:${port}/api/v1`, key).post(newSubject('subject-1'));
    expect(answer.status).toBe(201);
    expect(await healthCheck(folder, environmentOf('server-1'))).toBe(0);
    expect(uidOf(server.pid)).toBe(isReadOnly ? USER.split(':')[0] : String(process.getuid?.()));
    if (isReadOnly) expect(mountOptionsOf(server.pid, '/')).toContain('ro');

    server.signal('SIGTERM');
    expect(await server.finished).toMatchObject({ code: 0 });
    expect(await healthCheck(folder, environmentOf('server-1'))).toBe(1);
    await redis.stop();
    await postgres.stop();
  });
});

function replaceSecret(file: string, text: string): void {
  execFileSync('chmod', ['0644', file]);
  writeFileSync(file, `${text}\n`);
}

/** Runs the HEALTHCHECK and returns its exit code. */
async function healthCheck(folder: ImageFolder, env: Environment): Promise<number | null> {
  const [program = '', ...args] = execForm(stepOf(image, 'HEALTHCHECK'));
  const { code } = await run(join(folder.path, 'usr/local/bin', program), args, { env });
  return code;
}

function uidOf(pid: number): string | undefined {
  return /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}

function mountOptionsOf(pid: number, place: string): readonly string[] {
  const lines = readFileSync(`/proc/${pid}/mounts`, 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  return lines.findLast(([, at]) => at === place)?.[3]?.split(',') ?? [];
}
