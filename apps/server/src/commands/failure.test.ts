import { expect, test } from 'vitest';
import { describeFailure } from './failure.ts';

test('describeFailure: prints an unexpected fault as one line with its place, without its message', () => {
  const fault = Object.assign(new TypeError('csk_secret\nand more'), { code: 'ERR_ODD' });

  const { line, exitCode } = describeFailure(fault);

  expect(line).toMatch(/^unexpected fault: TypeError ERR_ODD at .*failure\.test\.ts:\d+:\d+\)?$/);
  expect(exitCode).toBe(1);
});

test('describeFailure: prints only the type of a thrown value that is not an error', () => {
  expect(describeFailure('csk_secret').line).toBe('unexpected fault: string');
});
