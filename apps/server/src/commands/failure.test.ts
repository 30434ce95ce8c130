import { expect, test } from 'vitest';
import { describeFailure } from './failure.ts';

test('a fault that nobody expected is one line that leads to its place and quotes nothing', () => {
  const fault = Object.assign(new TypeError('csk_secret\nand more'), { code: 'ERR_ODD' });

  const { line, exitCode } = describeFailure(fault);

  expect(line).toMatch(/^unexpected fault: TypeError ERR_ODD at .*failure\.test\.ts:\d+:\d+\)?$/);
  expect(exitCode).toBe(1);
});

test('what is no error is told by its type', () => {
  expect(describeFailure('csk_secret').line).toBe('unexpected fault: string');
});
