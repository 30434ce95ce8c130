import { run } from '@countersign/test-support/processes/child-process';
import { PROGRAM } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, it } from 'vitest';

it('a command ends with one line and exit code 1 if its output cannot be written', async () => {
  // A descriptor that can only be read, as on a full disk.
  const script = 'exec "$0" "$@" 1</dev/null';
  const { code, stderr } = await run('sh', ['-c', script, process.execPath, PROGRAM, 'client', 'list'], {
    env: { DATA_DIR: temporaryFolder() },
  });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'countersign: The output cannot be written (EBADF). It is incomplete\n',
  });
});
