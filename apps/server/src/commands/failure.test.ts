import { ErasureLogMismatch } from '@countersign/domain/retention';
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

test.each(['missing', 'incomplete'] as const)(
  'describeFailure: names the place of an erasure log that is %s',
  (problem) => {
    expect(describeFailure(new ErasureLogMismatch(problem))).toEqual({
      line: expect.stringMatching(
        /^The erasure log .* Put its newest copy in its place\. ERASURE_LOG_URL names its place\. \(SERVICE_UNAVAILABLE\)$/,
      ),
      exitCode: 1,
    });
  },
);
