import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { aLine, givenLine, givenLines, headAt, lineHash } from '../records/audit.ts';
import { givenClient } from '../records/clients.ts';
import { clientId } from '../records/ids.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Each line follows the last one, and stays what it is. */
export const auditChainSuite: Suite = suiteOf('audit chain', {
  'a log begins with line 1, after 64 zeros': async ({ audit }) => {
    const wrong = [
      aLine(0),
      aLine(2),
      aLine(1, { previousHash: lineHash(7) }),
      aLine(2, { previousHash: lineHash(0) }),
    ];

    for (const line of wrong) expect(await audit.append(line)).toEqual({ outcome: 'not_next', head: null });

    expect(await audit.head()).toBeNull();
    expect(await audit.append(aLine(1))).toEqual({ outcome: 'appended' });
  },

  'a line that does not follow the last one is told the head, and changes nothing': async (storage) => {
    const lines = await givenLines(storage, 3);
    const wrong = [
      aLine(3),
      aLine(1, { outcome: 'refused', hash: lineHash(77) }),
      aLine(2, { detail: { written: 'anew' } }),
      aLine(5),
      aLine(5, { previousHash: lineHash(3) }),
      aLine(4, { previousHash: lineHash(2) }),
      aLine(4, { previousHash: lineHash(0) }),
      aLine(-4, { previousHash: lineHash(3) }),
    ];

    for (const line of wrong) {
      expect(await storage.audit.append(line)).toEqual({ outcome: 'not_next', head: headAt(3) });
    }

    expect(await storage.audit.read(0, 100)).toEqual(lines);
    expect(await storage.audit.append(aLine(4))).toEqual({ outcome: 'appended' });
  },

  'a line stays as it is, whatever comes after it': async (storage) => {
    const first = await givenLine(storage, aLine(1, { detail: { plan: 'standard' } }));
    for (const n of range(2, 12)) {
      await givenLine(storage, aLine(n, { outcome: 'failed', detail: { of: n - 1 } }));
      expect(await storage.audit.read(0, 1)).toEqual([first]);
    }

    expect(await storage.audit.head()).toEqual(headAt(12));
  },

  'what becomes of clients and keys leaves their lines alone': async (storage) => {
    await givenClient(storage);
    const [line] = await givenLines(storage, 1, () => ({
      action: 'clients.switch_sandbox',
      targetId: clientId(1),
    }));

    await storage.clients.setSandbox(clientId(1), true);
    await storage.clients.changeSubscription(clientId(1), { plan: 'enterprise' }, null);

    expect(await storage.audit.read(0, 10)).toEqual([line]);
    expect(await storage.audit.head()).toEqual(headAt(1));
  },
});
