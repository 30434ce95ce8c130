import { createMemoryStorage } from '@countersign/memory';
import { describe, expect, it } from 'vitest';
import { ALL_MUTANTS } from '../test-support/mutants/all-mutants.ts';
import { readable, readableError, readableText, shown } from './readable.ts';
import { expectCount } from './records/count.ts';
import { eventIdOf, keyId, verificationId } from './records/ids.ts';

/** The messages of the cases that fail on the mutant with this name, by case. */
async function messagesOf(name: string): Promise<Record<string, string>> {
  const mutant = ALL_MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`There is no mutant “${name}”`);
  const messages: Record<string, string> = {};
  for (const each of mutant.suite.cases) {
    await each.run(mutant.breakIn(createMemoryStorage())).catch((error: Error) => {
      messages[each.name] = error.message;
    });
  }
  return messages;
}

/** The message of a failed expectation, as the kit words it. */
function messageOf(check: () => void): string {
  try {
    check();
  } catch (error) {
    return (readableError(error) as Error).message;
  }
  throw new Error('The check has passed');
}

describe('a failure of the kit', () => {
  it.each([
    [
      'always sorts ascending',
      'list: requestedAt descending, ties by descending requestedAt and id',
      'At place 0: expected "verification 6", received "verification 2"',
    ],
    [
      'sorts nulls first',
      'list: resolvedAt ascending, ties by ascending requestedAt and id',
      'At place 0: expected "verification 4", received "verification 5"',
    ],
  ])('of a storage that %s names the first verification out of place', async (mutant, name, message) => {
    expect((await messagesOf(mutant))[name]).toContain(message);
  });

  it('of a storage that ignores a key with a taken id names what differs', async () => {
    const messages = Object.values(await messagesOf('ignores a key with a taken id'));
    expect(messages).not.toEqual([]);
    expect(messages.join()).toContain(
      'issue with the id of another key: expected an error, received {"outcome":"issued"}',
    );
  });

  it.each([
    [
      { id: verificationId(1), at: new Date(0) },
      { id: verificationId(1), at: new Date(1) },
      /^At at: expected "1970-01-01T00:00:00.000Z", received "1970-01-01T00:00:00.001Z"$/m,
    ],
    [
      [{ id: verificationId(1), dueAt: 1 }],
      [{ id: verificationId(1), dueAt: 2 }],
      /^At place 0, dueAt: expected 1, received 2$/m,
    ],
    [
      { records: [{ status: 'pending' }] },
      { records: [{ status: 'approved' }] },
      /^At records\.0\.status: expected "pending", received "approved"$/m,
    ],
    [
      { outcome: 'changed', extra: undefined },
      { outcome: 'conflict' },
      /^At outcome: expected "changed", received "conflict"$/m,
    ],
    [{ id: expect.any(String), n: 1 }, { id: 'any', n: 2 }, /^At n: expected 1, received 2$/m],
    [new Map([['a', 1]]), new Map([['a', 2]]), /^At a: expected 1, received 2$/m],
    [[1], [1, 2], /^At place 1: expected nothing, received 2$/m],
    [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4), /^At byte 2 of 3: expected 3, received 4$/m],
    [Uint8Array.of(1), new Uint8Array(2), /^Length in bytes: expected 1, received 2$/m],
  ])('of values %# names the first difference', (expected, actual, message) => {
    expect(messageOf(() => expect(actual).toEqual(expected))).toMatch(message);
  });

  it('of part of an object names a field that was expected', () => {
    const message = messageOf(() => expect({ extra: 1, state: 'paused' }).toMatchObject({ state: 'active' }));
    expect(message).toMatch(/^At state: expected "active", received "paused"$/m);
  });

  it('of bytes shows the first of them', () => {
    expect(readable({ content: Uint8Array.from({ length: 20 }, (_, index) => index) })).toEqual({
      content: '20 bytes: 00 01 02 03 04 05 06 07 …',
    });
  });

  it('of a wrong number of entries lists them', () => {
    const entries = [{ id: verificationId(1), status: 'pending' }, { id: verificationId(2) }];
    expect(() => expectCount(entries, 1)).toThrow(
      'expected 1, received {"id":"verification 1","status":"pending"}, {"id":"verification 2"}',
    );
    expect(() => expectCount([], 2, 'receipts')).toThrow('receipts: expected 2, received none');
    expect(() => expectCount(undefined, 0)).toThrow('expected 0, received none');
    expect(() => expectCount(entries, 2)).not.toThrow();
  });

  it.each(ALL_MUTANTS.slice(0, 60))('of a storage that $name has no id in it', async ({ name }) => {
    const messages = Object.values(await messagesOf(name));
    expect(messages.filter((message) => /[0-9a-f]{8}-0000-7000-/.test(message))).toEqual([]);
  });

  it('names ids wherever they are', () => {
    const event = eventIdOf({ id: verificationId(18), version: 2 });
    expect(readableText(`found ${event} and ${keyId(3)}`)).toBe('found event 2 of verification 18 and key 3');
    const at = new Date(0);
    expect(readable({ [keyId(1)]: [verificationId(10), at, null] })).toEqual({
      'key 1': ['verification 10', at, null],
    });
  });

  it('lists at most twelve values', () => {
    expect(shown([])).toBe('none');
    expect(shown(Array.from({ length: 14 }, (_, index) => index))).toBe(
      '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 2 more',
    );
  });
});
