import { createMemoryStorage } from '@countersign/memory';
import { describe, expect, it } from 'vitest';
import { ALL_MUTANTS } from '../test-support/mutants/all-mutants.ts';
import { readable, readableText, shown } from './readable.ts';
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
    expect(messages.join()).toContain('expected null to be an instance of Error');
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
