// Starts Node processes, because the queue and the deadlines concern them.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { WEIGHTS_URL } from '@countersign/reading';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  EXPIRED,
  givenReader,
  KILLED,
  OBEDIENT,
  programOf,
  request,
} from '../../test-support/document-readers/given-reader.ts';
import { ZONES } from './reader-process.ts';

const KNOWN = readFileSync(new URL('known.jpg', WEIGHTS_URL));

describe('the reader of this server', () => {
  it('reads the known picture with which `doctor` checks it', async () => {
    const { reader, failures } = givenReader({ zones: undefined });
    const reading = await reader.read(request(KNOWN));
    expect(failures).toEqual([]);
    expect(reading).toMatchObject({
      outcome: 'read',
      fields: { documentNumber: { value: 'U39777556', sure: true }, dateOfBirth: { value: '1958-01-22' } },
      issuer: 'GB',
      type: 'id_card',
      digitsFit: true,
    });
  });

  it('a picture that cannot be decoded is a failed reading, and the next one is read by the same process', async () => {
    const { reader, failures } = givenReader({ zones: undefined });
    expect(await reader.read(request(Buffer.from('no picture')))).toMatchObject({ outcome: 'failed' });
    expect(await reader.read(request(KNOWN))).toMatchObject({ outcome: 'read' });
    expect(failures).toEqual([]);
  });

  it('reads the barcode of a licence in a process that ends with it', async () => {
    const { reader, failures } = givenReader({ barcodes: undefined });
    const licence = readFileSync(new URL('known-licence.jpg', WEIGHTS_URL));
    const reading = await reader.read({ ...request(licence), documentType: 'driving_licence', issuer: 'US' });
    expect(failures).toEqual([]);
    expect(reading).toMatchObject({
      outcome: 'read',
      fields: { documentNumber: { value: 'T64235789', sure: true }, dateOfBirth: { value: '1986-06-06' } },
      issuer: 'US',
    });
    expect(reader.stats().isRunning).toBe(false);
  });

  it.each([
    ['driving_licence', 'US', 'failed'],
    ['driving_licence', null, 'failed'],
    ['driving_licence', 'DE', 'nothing'],
    ['passport', 'US', 'nothing'],
  ])(
    'a %s of %s that shows no zone, where no barcode reader runs, is %s',
    async (documentType, issuer, outcome) => {
      const { reader, failures } = givenReader({ barcodes: programOf(EXPIRED) });
      expect(await reader.read({ ...request(Buffer.from('pid')), documentType, issuer })).toMatchObject({
        outcome,
      });
      expect(failures).toEqual(outcome === 'failed' ? ['it does not start'] : []);
      const again = await reader.read({ ...request(Buffer.from('pid')), documentType, issuer });
      expect(again.outcome).toBe(outcome === 'failed' ? 'off' : outcome);
    },
  );
});

describe('processes', () => {
  it('a process that uses up its processor time is killed', async () => {
    const { failures, order } = givenReader({
      zones: programOf(OBEDIENT, { processorMs: 100, clockMs: 60_000 }),
    });
    expect(await order('spin')).toMatchObject({ outcome: 'failed' });
    expect(failures).toEqual(['it took too long']);
    expect(await order('pid')).toMatchObject({ outcome: 'nothing' });
  });

  it('a process that hangs is killed by the clock', async () => {
    const { failures, order } = givenReader({
      zones: programOf(OBEDIENT, { processorMs: 60_000, clockMs: 100 }),
    });
    expect(await order('hang')).toMatchObject({ outcome: 'failed' });
    expect(failures).toEqual(['it took too long']);
  });

  it.runIf(existsSync('/proc/self/schedstat'))(
    'the clock does not count how long a thread of the process waits for a processor',
    async () => {
      const { failures, order } = givenReader({
        // The thread works for a sixth of this time, but waits so often that it takes longer than all of it. No
        // single wait may take as long, because a wait is counted only once it has ended.
        zones: programOf(OBEDIENT, { ...ZONES.limit, clockMs: 1_500 }),
      });
      const { readerVersion: pid } = await order('pid');
      // Other processes, with a higher priority, take most of the one processor that it may use.
      for (let other = 0; other < 2; other += 1) {
        const busy = spawn('taskset', ['-c', '0', process.execPath, '-e', 'for (;;);'], { stdio: 'ignore' });
        onTestFinished(() => void busy.kill('SIGKILL'));
      }
      execFileSync('taskset', ['-a', '-p', '-c', '0', pid]);
      expect(await order('thread')).toMatchObject({ outcome: 'nothing', readerVersion: pid });
      expect(failures).toEqual([]);
    },
  );

  it('a process that does not start fails the picture; for a minute no other is started, and pictures are not tried', async () => {
    let now = 0;
    const { reader, failures, order } = givenReader({ zones: programOf(EXPIRED), now: () => now });
    expect(await order('pid')).toMatchObject({ outcome: 'failed' });
    expect(await order('pid')).toMatchObject({ outcome: 'off' });
    expect(failures).toEqual(['it does not start']);
    now = 60_000;
    expect(await order('pid')).toMatchObject({ outcome: 'failed' });
    expect(failures).toHaveLength(2);
    expect(reader.stats().isRunning).toBe(false);
  });

  it('a process that was killed while it waited costs no reading', async () => {
    const { reader, failures, order } = givenReader();
    const { readerVersion } = await order('pid');
    process.kill(Number(readerVersion), 'SIGKILL');
    await expect.poll(() => reader.stats().isRunning).toBe(false);
    expect(await order('pid')).toMatchObject({ outcome: 'nothing' });
    expect(failures).toEqual([]);
  });

  it('a process that is killed after its answer costs no reading', async () => {
    const { reader, failures, order } = givenReader();
    expect(await order('last')).toMatchObject({
      outcome: 'nothing',
      readerVersion: expect.stringMatching(/^\d+$/),
    });
    await expect.poll(() => reader.stats().isRunning).toBe(false);
    expect(await order('pid')).toMatchObject({ outcome: 'nothing' });
    expect(failures).toEqual([]);
  });

  it('a process that is killed before it gets its picture: the reading fails, and the next picture starts another', async () => {
    const { failures, order } = givenReader({ zones: programOf(KILLED) });
    expect(await order('pid')).toMatchObject({ outcome: 'failed' });
    expect(await order('pid')).toMatchObject({ outcome: 'failed' });
    expect(failures).toEqual(['it was killed', 'it was killed']);
  });

  it('a picture without a zone whose barcode reader was killed is a failed reading, so that it is read again', async () => {
    const { reader, failures } = givenReader({ barcodes: programOf(KILLED) });
    const licence = { ...request(Buffer.from('pid')), documentType: 'driving_licence', issuer: 'US' };
    expect(await reader.read(licence)).toMatchObject({ outcome: 'failed' });
    expect(failures).toEqual(['it was killed']);
  });

  it('a process that has read enough pictures is replaced', async () => {
    const { order } = givenReader({ picturesMax: 2 });
    const pids = [await order('pid'), await order('pid'), await order('pid')].map((one) => one.readerVersion);
    expect(pids[1]).toBe(pids[0]);
    expect(pids[2]).not.toBe(pids[1]);
  });

  it('an idle process ends', async () => {
    const { reader, order } = givenReader({ idleMs: 1 });
    await order('pid');
    await expect.poll(() => reader.stats().isRunning).toBe(false);
  });
});

describe('the queue', () => {
  it('200 pictures that arrive together: 21 are read one after the other, and the others are not tried', async () => {
    const { reader, failures, order } = givenReader();
    const all = Array.from({ length: 200 }, () => order('pid'));
    expect(reader.stats().waiting).toBe(20);
    const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'nothing')).toHaveLength(21);
    expect(outcomes.filter((outcome) => outcome === 'off')).toHaveLength(179);
    expect(new Set(failures)).toEqual(new Set(['too many pictures wait']));
  });

  it('the queue holds at most 40 MiB of pictures', async () => {
    const { reader, order } = givenReader();
    const large = Buffer.alloc(10 * 1024 * 1024, 'pid ');
    const all = [order('pid'), ...Array.from({ length: 5 }, () => reader.read(request(large)))];
    expect(reader.stats().waiting).toBe(4);
    expect((await Promise.all(all)).at(-1)).toMatchObject({ outcome: 'off' });
  });
});
