import type { AuditHead, Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { aLine, givenLines, headAt, linesRead } from '../records/audit.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** Stands for a hash of its own for each writer's attempt at a line. */
const hashOf = (writer: number, sequence: number): string =>
  `${sequence.toString(16).padStart(32, '0')}${writer.toString(16).padStart(32, 'f')}`;

/** Many who append at once make one chain: each place in it has one winner. */
export const auditAtOnceSuite: Suite = suiteOf('audit at once', {
  'of forty that append one line, the first of all, one does, and the others are told it': async (storage) => {
    await expectOneOfForty(storage, null);
  },

  'of forty that append the next line, one does, and the others are told it': async (storage) => {
    const lines = await givenLines(storage, 4);

    await expectOneOfForty(storage, headAt(lines.length));
  },

  'eight writers who try again until they are through make a chain without gaps': async (storage) => {
    await atOnce(8, async (writer) => {
      let head = await storage.audit.head();
      for (const n of range(1, 5)) head = await appendSomewhere(storage, writer, n, head);
    });

    const lines = await storage.audit.read(0, 100);
    expect(lines.map(({ sequence }) => sequence)).toEqual(range(1, 40));
    for (const [index, { previousHash }] of lines.entries()) {
      if (index > 0) expect(previousHash).toBe(lines[index - 1]?.hash);
    }
    const marks = lines.map(({ actor, detail }) => JSON.stringify([actor.id, detail]));
    expect(new Set(marks).size, 'each line of each writer once').toBe(40);
  },

  'whoever reads meanwhile sees the chain as far as it goes, never a gap': async (storage) => {
    const reads: Promise<number[]>[] = [];
    for (const n of range(1, 20)) {
      reads.push(linesRead(storage, 0, 100));
      const appended = storage.audit.append(aLine(n));
      reads.push(linesRead(storage, 0, 100));
      await appended;
    }

    for (const sequences of await Promise.all(reads)) expect(sequences).toEqual(range(1, sequences.length));
    expect(await storage.audit.head()).toEqual(headAt(20));
  },
});

async function expectOneOfForty(storage: Storage, before: AuditHead | null): Promise<void> {
  const next = (before?.sequence ?? 0) + 1;

  const answers = await atOnce(40, (writer) =>
    storage.audit.append(aLine(next, { hash: hashOf(writer, next), detail: { writer } })),
  );

  expect(tally(answers)).toEqual({ appended: 1, not_next: 39 });
  const winner = answers.findIndex(({ outcome }) => outcome === 'appended');
  const head = { sequence: next, hash: hashOf(winner, next) };
  for (const answer of answers) {
    if (answer.outcome === 'not_next') expect(answer.head).toEqual(head);
  }
  expect(await storage.audit.head()).toEqual(head);
  expect((await storage.audit.read(next - 1, 100)).map(({ detail }) => detail)).toEqual([{ writer: winner }]);
}

/** Appends the writer's `n`th line after whichever is the last by then, and gives what is the last now. */
async function appendSomewhere(
  storage: Storage,
  writer: number,
  n: number,
  from: AuditHead | null,
): Promise<AuditHead> {
  let head = from;
  for (;;) {
    const line = aLine((head?.sequence ?? 0) + 1, {
      actor: { kind: 'client', id: `writer-${writer}` },
      ...(head !== null && { previousHash: head.hash }),
      detail: { n },
    });
    const next = { ...line, hash: hashOf(writer, line.sequence) };
    const answer = await storage.audit.append(next);
    if (answer.outcome === 'appended') return { sequence: next.sequence, hash: next.hash };
    expect(answer.head?.sequence, 'the head that is in the way').toBeGreaterThanOrEqual(next.sequence);
    head = answer.head;
  }
}
