import { describe, expect, it } from 'vitest';
import { ALL_DOWNLOADS_AT_ONCE, DOWNLOADS_AT_ONCE, SUBJECT_DOWNLOADS_AT_ONCE } from '../evidence/evidence-file.ts';
import { createDownloadSlots } from './download-slots.ts';

const tooMany = expect.objectContaining({ code: 'TOO_MANY_DOWNLOADS' }) as Error;
const noWait = async (): Promise<void> => undefined;
const everPatient = (): Promise<never> => new Promise(() => undefined);

/** Begins downloads of one caller, or of a new caller each. */
async function fill(begin: ReturnType<typeof createDownloadSlots>, count: number, caller?: string) {
  return Promise.all(Array.from({ length: count }, (_, n) => begin(caller ?? `caller-${n}`, noWait)));
}

describe('downloads that run at the same time', () => {
  it('one more than a caller may have is refused once its wait has ended; another caller goes on', async () => {
    const begin = createDownloadSlots();
    await fill(begin, DOWNLOADS_AT_ONCE, 'client-1');
    await expect(begin('client-1', noWait)).rejects.toThrow(tooMany);
    await expect(begin('client-1', () => Promise.reject(new Error('The wait broke off')))).rejects.toThrow(
      tooMany,
    );
    await expect(begin('client-2', noWait)).resolves.toBeTypeOf('function');
  });

  it('one more than all callers together may have is refused', async () => {
    const begin = createDownloadSlots();
    await fill(begin, ALL_DOWNLOADS_AT_ONCE);
    await expect(begin('another', noWait)).rejects.toThrow(tooMany);
  });

  it('subjects leave slots to clients and users, and a subject that ends makes room for another', async () => {
    const begin = createDownloadSlots();
    const subjects = Array.from({ length: SUBJECT_DOWNLOADS_AT_ONCE }, (_, n) =>
      begin({ subject: `${n}` }, noWait),
    );
    const [end] = await Promise.all(subjects);
    await expect(begin({ subject: 'another' }, noWait)).rejects.toThrow(tooMany);
    const others = await fill(begin, ALL_DOWNLOADS_AT_ONCE - SUBJECT_DOWNLOADS_AT_ONCE);
    expect(others.length).toBeGreaterThanOrEqual(DOWNLOADS_AT_ONCE);
    end?.();
    await expect(begin({ subject: 'another' }, noWait)).resolves.toBeTypeOf('function');
  });

  it('one more than a subject may have is refused', async () => {
    const begin = createDownloadSlots();
    for (let n = 0; n < DOWNLOADS_AT_ONCE; n += 1) await begin({ subject: 'client-1' }, noWait);
    await expect(begin({ subject: 'client-1' }, noWait)).rejects.toThrow(tooMany);
    await expect(begin('client-1', noWait)).resolves.toBeTypeOf('function');
  });

  it('a waiting download gets the slot of one that ends, in the order of arrival', async () => {
    const begin = createDownloadSlots();
    const [end, endSecond, endThird] = await fill(begin, DOWNLOADS_AT_ONCE, 'client-1');
    const started: string[] = [];
    const first = begin('client-1', everPatient).then(() => started.push('first'));
    void begin('client-1', everPatient).then(() => started.push('second'));
    end?.();
    await first;
    expect(started).toEqual(['first']);
    endSecond?.();
    endThird?.();
    await expect(begin('client-1', noWait)).resolves.toBeTypeOf('function');
    expect(started).toEqual(['first', 'second']);
  });

  it('a waiting download does not hold up other callers', async () => {
    const begin = createDownloadSlots();
    const [end] = await fill(begin, ALL_DOWNLOADS_AT_ONCE - DOWNLOADS_AT_ONCE);
    await fill(begin, DOWNLOADS_AT_ONCE, 'busy');
    void begin('busy', everPatient);
    const other = begin('other', everPatient);
    end?.();
    await expect(other).resolves.toBeTypeOf('function');
  });

  it('a download that ends twice leaves one slot', async () => {
    const begin = createDownloadSlots();
    const [end] = await fill(begin, DOWNLOADS_AT_ONCE, 'client-1');
    end?.();
    end?.();
    await fill(begin, 1, 'client-1');
    await expect(begin('client-1', noWait)).rejects.toThrow(tooMany);
  });

  it('a download that was refused takes no slot later', async () => {
    const begin = createDownloadSlots();
    const [end] = await fill(begin, DOWNLOADS_AT_ONCE, 'client-1');
    await expect(begin('client-1', noWait)).rejects.toThrow(tooMany);
    end?.();
    await expect(fill(begin, 1, 'client-1')).resolves.toHaveLength(1);
  });
});
