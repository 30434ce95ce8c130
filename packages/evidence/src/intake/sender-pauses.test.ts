import { join } from 'node:path';
import { CountersignError } from '@countersign/domain';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, onTestFinished, test } from 'vitest';
import { plain } from '../../test-support/pictures.ts';
import { upload } from '../../test-support/upload.ts';
import { createEvidenceIntake } from './evidence-intake.ts';
import { createSenderPauses, type SenderPauses } from './sender-pauses.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** Returns the seconds that a sender has to wait, 0 for none. */
function secondsOf(pauses: SenderPauses, sender: string | undefined): unknown {
  try {
    pauses.requireNone(sender);
    return 0;
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code !== 'UPLOADS_PAUSED') throw error;
    return error.data?.retryAfterSeconds;
  }
}

test('each further stopped file doubles the pause of its sender, up to 15 minutes', () => {
  let time = 0;
  const pauses = createSenderPauses(() => time);
  const seconds = Array.from({ length: 7 }, () => {
    pauses.begin('attacker');
    const pause = secondsOf(pauses, 'attacker');
    time += Number(pause) * SECOND;
    expect(secondsOf(pauses, 'attacker'), 'after the pause').toBe(0);
    return pause;
  });
  expect(seconds).toEqual([30, 60, 120, 240, 480, 900, 900]);
});

test('an hour after a pause, the next one is 30 seconds again', () => {
  let time = 0;
  const pauses = createSenderPauses(() => time);
  pauses.begin('subject');
  time += 30 * SECOND + HOUR;
  pauses.begin('subject');
  expect(secondsOf(pauses, 'subject'), 'after an hour').toBe(60);
  time += 60 * SECOND + HOUR + 1;
  pauses.begin('subject');
  expect(secondsOf(pauses, 'subject'), 'after more than an hour').toBe(30);
});

test('a pause is for its sender alone, and an upload without a sender has none', () => {
  const pauses = createSenderPauses(() => 0);
  pauses.begin('attacker');
  pauses.begin(undefined);
  expect(secondsOf(pauses, 'another')).toBe(0);
  expect(secondsOf(pauses, undefined)).toBe(0);
});

test("a sender's files that wait when one of them is stopped are refused without a decoder", async () => {
  const spoolDirectory = join(temporaryDirectory(onTestFinished), 'spool');
  const intake = createEvidenceIntake({ spoolDirectory, decodesAtOnce: 1, decodeDeadlineMs: 0 });
  const content = await plain().png().toBuffer();
  const codeOf = (sender: string): Promise<unknown> =>
    intake.receive(upload(content), { pdf: false, sender }).catch((error: CountersignError) => error.code);

  const codes = await Promise.all(['attacker', 'attacker', 'attacker', 'another'].map(codeOf));

  expect(codes.slice(0, 3).toSorted()).toEqual(['FILE_TOO_COMPLEX', 'UPLOADS_PAUSED', 'UPLOADS_PAUSED']);
  expect(codes[3], 'of another sender').toBe('FILE_TOO_COMPLEX');
  expect(intake.stats()).toEqual({ waiting: 0, running: 0, killed: 2 });
});
