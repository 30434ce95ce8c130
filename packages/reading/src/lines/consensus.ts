import { parseMrz } from '../mrz/parse.ts';
import type { Reading } from './read-bundle.ts';
import type { ReadLine } from './recognise.ts';

/** The number of a look that no strip was cut for. */
export const CONSENSUS = -1;

/** At each place the character that the looks are surest of together. */
function consensusLine(lines: readonly ReadLine[]): ReadLine {
  const length = lines[0]?.text.length ?? 0;
  const text: string[] = [];
  const sure: number[] = [];
  for (let place = 0; place < length; place += 1) {
    const sums = new Map<string, number>();
    for (const line of lines) {
      const character = line.text.charAt(place);
      sums.set(character, (sums.get(character) ?? 0) + (line.sure[place] ?? 0));
    }
    const [best] = [...sums].sort((a, b) => b[1] - a[1]);
    text.push(best?.[0] ?? '<');
    sure.push((best?.[1] ?? 0) / lines.length);
  }
  const mean = (of: (line: ReadLine) => number) => lines.reduce((sum, line) => sum + of(line), 0) / lines.length;
  return {
    text: text.join(''),
    sure,
    likeness: mean((line) => line.likeness),
    ends: mean((line) => line.ends),
    score: mean((line) => line.score),
    frames: [],
  };
}

/** What looks that differ say together. It counts as no look of its own. */
export function consensusOf(readings: readonly Reading[], today: string): Reading | undefined {
  const [best] = readings;
  if (!best || readings.length < 3) return undefined;
  const alike = readings.filter(
    ({ lines }) => lines.length === best.lines.length && lines[0]?.text.length === best.lines[0]?.text.length,
  );
  const lines = best.lines.map((_, index) => consensusLine(alike.map((reading) => reading.lines[index])));
  return {
    ...best,
    lines,
    look: CONSENSUS,
    parsed: parseMrz(
      lines.map(({ text }) => text),
      today,
    ),
  };
}
