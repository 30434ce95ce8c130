import { readFileSync } from 'node:fs';
import { DATA_STATES, type DataStateName } from '@countersign/domain/retention';

const DOCUMENT = new URL('../../docs/privacy.md', import.meta.url);

/** The columns of the table, in their order. */
const HEADINGS = [
  'erasure begun',
  'hold',
  'erasure requested',
  'verification',
  'state',
  'until, the latest of',
  'hidden',
  'erased at the latest of',
] as const;
type Heading = (typeof HEADINGS)[number];

const HOLDS = ['none', 'running', 'running, without an end', 'ended'] as const;
const VERIFICATIONS = ['open', 'decided'] as const;

/** A moment at which a state ends, by its name in the table. */
export const ENDS = [
  'never',
  'end of the hold',
  'end of the legal obligation',
  'request',
  'end of policy',
] as const;
export type End = (typeof ENDS)[number];

/** What decides which row of the table matches. */
export interface DataStateCase {
  /** Whether the erasure has begun. */
  readonly erased: boolean;
  readonly hold: (typeof HOLDS)[number];
  readonly requested: boolean;
  readonly verification: (typeof VERIFICATIONS)[number];
}

/** A row of the table: the values that each condition accepts, and what holds then. */
export interface DataStateRow {
  readonly when: { readonly [K in keyof DataStateCase]: readonly DataStateCase[K][] };
  readonly state: DataStateName;
  /** The latest of these moments ends the state. */
  readonly until: readonly End[];
  /** Whether answers, files and metadata are hidden. */
  readonly hidden: boolean;
  /** The latest of these moments is when the job erases the data. */
  readonly dueAt: readonly End[];
}

/** Reads the table of the state of a verification's data from docs/privacy.md. The first row that matches counts. */
export function documentedDataStates(markdown: string = readFileSync(DOCUMENT, 'utf8')): readonly DataStateRow[] {
  const lines = markdown.split('\n').map(cellsOf);
  const start = lines.findIndex((cells) => cells.join() === HEADINGS.join());
  if (start < 0) throw new Error(`docs/privacy.md has no table with the columns ${HEADINGS.join(' | ')}`);
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((cells) => cells.length === 0),
    )
    .map(rowOf);
}

/** Returns whether a row is for this case. */
export function matches({ when }: DataStateRow, given: DataStateCase): boolean {
  return (
    when.erased.includes(given.erased) &&
    when.hold.includes(given.hold) &&
    when.requested.includes(given.requested) &&
    when.verification.includes(given.verification)
  );
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('`', '').trim());
}

function rowOf(cells: readonly string[]): DataStateRow {
  const cell = (heading: Heading): string => cells[HEADINGS.indexOf(heading)] ?? '';
  const [state] = oneOf(DATA_STATES, cell('state'));
  const [hidden] = yesOrNo(cell('hidden'));
  if (state === undefined || hidden === undefined) throw new Error(`The row ${cells.join(' | ')} has no result`);
  return {
    when: {
      erased: yesOrNo(cell('erasure begun')),
      hold: oneOf(HOLDS, cell('hold')),
      requested: yesOrNo(cell('erasure requested')),
      verification: oneOf(VERIFICATIONS, cell('verification')),
    },
    state,
    until: cell('until, the latest of')
      .split(', ')
      .flatMap((name) => oneOf(ENDS, name)),
    hidden,
    dueAt: cell('erased at the latest of')
      .split(', ')
      .flatMap((name) => oneOf(ENDS, name)),
  };
}

function yesOrNo(cell: string): boolean[] {
  return oneOf(['yes', 'no'], cell).map((word) => word === 'yes');
}

/** Parses a cell: `any`, or names of the list with `or` between them. @throws Error for any other word */
function oneOf<T extends string>(names: readonly T[], cell: string): readonly T[] {
  if (cell === 'any') return names;
  return cell.split(' or ').map((word) => {
    const name = names.find((candidate) => candidate === word);
    if (name === undefined) throw new Error(`${word} is none of: ${names.join('; ')}`);
    return name;
  });
}
