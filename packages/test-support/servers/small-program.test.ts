import { expect, it, onTestFinished } from 'vitest';
import { programsIn } from './small-program.ts';

const run = programsIn(import.meta.dirname);

it('said: resolves to a line that was printed before the program was killed', async () => {
  const { said, child, ended } = run(onTestFinished, `console.log('ready 1'); setInterval(() => {}, 1_000);`);
  expect(await said('ready')).toBe('ready 1');
  child.kill('SIGKILL');
  await ended;
  expect(await said('ready')).toBe('ready 1');
});

it.each(['process.exit(3)', `process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1_000)`])(
  'said: rejects when the program ends without the word: %s',
  async (end) => {
    const { said } = run(onTestFinished, `console.log('begun'); ${end};`);
    await expect(said('ready')).rejects.toThrow('ended without saying ready: begun');
  },
);
