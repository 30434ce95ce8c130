import fc from 'fast-check';
import { expect } from 'vitest';
import { commandsOf, sequences, TEST_TWIN, type Turn } from './commands.ts';
import { comparable, outcomeOf, pictureOf } from './picture.ts';
import { createWorld, type Participant, prepare, type World } from './world.ts';

/** Commands in a sequence that one turn counts for. */
const TURNS = 65;

export interface Comparison {
  readonly sequences: number;
  /** Commands that each participant ran. */
  readonly commands: number;
  /** Of them, those that ran at the same time with others. */
  readonly atOnce: number;
  /** Each outcome of a command, and how often it occurred: `create ok`, `create in test mode ok`, `create LIMIT_EXCEEDED`. */
  readonly outcomes: ReadonlyMap<string, number>;
}

let runs = 0;

/**
 * Runs random sequences of 65 turns on every participant and compares all outcomes, and at the end everything that can be
 * read.
 * @throws Error with seed and turns of the first sequence in which two participants differ
 */
export async function compare(
  participants: readonly Participant[],
  { sequences: count, seed }: { readonly sequences: number; readonly seed: number },
): Promise<Comparison> {
  const outcomes = new Map<string, number>();
  let commands = 0;
  let atOnce = 0;
  const property = fc.asyncProperty(sequences(TURNS), async (turns) => {
    runs += 1;
    const worlds = await Promise.all(participants.map((participant) => createWorld(participant, runs)));
    for (const [index, turn] of turns.entries()) {
      const all = await Promise.all(worlds.map((world) => play(world, turn, index + 1)));
      const names = commandsOf(turn).map(({ kind, client }) =>
        client === TEST_TWIN ? `${kind} in test mode` : kind,
      );
      expectSame(all, participants, `turn ${index + 1}: ${JSON.stringify(turn)}`);
      commands += names.length;
      if (names.length > 1) atOnce += names.length;
      for (const [n, outcome] of (all[0] ?? []).entries()) {
        const name = `${names[n]} ${typeof outcome === 'string' ? outcome : 'ok'}`;
        outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
      }
      for (const { clock } of worlds) clock.advance(60_000);
    }
    expectSame(await Promise.all(worlds.map(pictureOf)), participants, 'the end');
  });
  // Sequences keep their length, so there is nothing to shrink.
  await fc.assert(property, { numRuns: count, seed, endOnFailure: true });
  return { sequences: count, commands, atOnce, outcomes };
}

/** Runs a turn. The outcomes of one command at the same time with itself come in no order. */
async function play(world: World, turn: Turn, number: number): Promise<readonly unknown[]> {
  const prepared: (() => Promise<unknown>)[] = [];
  for (const command of commandsOf(turn)) prepared.push(await prepare(world, command));
  const settled = await Promise.all(
    prepared.map((run, call) => outcomeOf(world, () => world.duringCall(number, call, run))),
  );
  // Kept in the background after each submission.
  await world.countersign.warnings.settled();
  const outcomes = settled.map((show) => comparable(show(), world));
  return turn.how === 'same'
    ? outcomes.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : outcomes;
}

function expectSame(all: readonly unknown[], participants: readonly Participant[], where: string): void {
  const [first, ...others] = all;
  for (const [index, other] of others.entries()) {
    expect(other, `${participants[index + 1]?.name} and ${participants[0]?.name} at ${where}`).toEqual(first);
  }
}
