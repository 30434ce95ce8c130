// Runs pg_dump and pg_restore beside servers on Postgres.
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { openWorkplace } from '../../test-support/workplace.ts';

const FILE = 'client-1/verification-1/file-1';

describeWith(['postgres'], 'restore into evidence that servers on PostgreSQL share', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
  });
  afterAll(() => postgres.stop());

  /** An installation of several machines: each has a data directory, and all share database, evidence and erasure log. */
  async function given() {
    const evidence = join(temporaryFolder(), 'evidence');
    const folder = join(temporaryFolder(), 'backup');
    const SECRET_KEYS = Buffer.alloc(32, 1).toString('base64url');
    const environment = {
      DATABASE_URL: await postgres.createDatabase(),
      EVIDENCE_URL: `file://${evidence}`,
      ERASURE_LOG_URL: `file://${join(temporaryFolder(), 'erasures')}`,
      SECRET_KEYS,
    };
    const newMachine = () => {
      const workplace = openWorkplace();
      return {
        serve: () => workplace.serve(environment),
        refuse: () => workplace.refuse(environment),
        run: (...args: string[]) => runCommand(args, { DATA_DIR: workplace.dataDir, ...environment }),
      };
    };
    const machine = newMachine();
    await machine.run('migrate');
    expect(await machine.run('backup', folder, '--evidence-only')).toMatchObject({ exitCode: 0 });
    mkdirSync(join(evidence, FILE, '..'), { recursive: true });
    writeFileSync(join(evidence, FILE), 'newer than the backup');
    return { evidence, folder, machine, newMachine };
  }

  test('restore into evidence that servers on PostgreSQL share is refused and moves nothing while a server on another machine runs, and works when it has stopped', async () => {
    const { evidence, folder, machine, newMachine } = await given();
    const server = await newMachine().serve();

    expect(await machine.run('restore', folder)).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^countersign: A server serves the database .*: stop it first\n$/),
    });
    expect([existsSync(join(evidence, FILE)), (await fetch(`${server.origin}/readyz`)).status]).toEqual([
      true,
      200,
    ]);

    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(await machine.run('restore', folder)).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(evidence, FILE))).toBe(false);
    expect(readdirSync(join(evidence, '.in-use'))).toEqual([]);
  });

  test('works after a server was killed', async () => {
    const { evidence, folder, machine, newMachine } = await given();
    const server = await newMachine().serve();
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');

    expect(await machine.run('restore', folder)).toMatchObject({ exitCode: 0 });

    expect(existsSync(join(evidence, FILE))).toBe(false);
  });

  test('restore into evidence that servers on PostgreSQL share was interrupted: no server on any machine starts or is ready, doctor and restore --check say so, restore finishes', async () => {
    const { evidence, folder, machine, newMachine } = await given();
    const server = await newMachine().serve();
    const moves = [{ place: 'client-1', aside: '.before-restore-then/client-1', staged: null }];
    const mark = JSON.stringify({ backup: 'an-earlier-one', phase: 'aside', moves, leftovers: [] });
    writeFileSync(join(evidence, '.unfinished-restore'), mark);

    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
    server.child.kill('SIGTERM');
    await server.ended;
    const line = /A restore into .*evidence was interrupted: run `countersign restore` again/;
    expect(await newMachine().refuse()).toMatchObject({ exitCode: 1, err: expect.stringMatching(line) });
    expect(await newMachine().run('doctor')).toMatchObject({ exitCode: 1, out: expect.stringMatching(line) });
    expect(await newMachine().run('restore', '--check', folder)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('A restore was interrupted: `countersign restore` finishes it first'),
    });

    expect(await machine.run('restore', folder)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Finished the interrupted restore of backup an-earlier-one'),
    });
    expect(existsSync(join(evidence, '.before-restore-then', FILE))).toBe(true);
    expect(existsSync(join(evidence, '.unfinished-restore'))).toBe(false);
    expect((await fetch(`${(await newMachine().serve()).origin}/readyz`)).status).toBe(200);
  });
});
