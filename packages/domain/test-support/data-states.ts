import type { DataStateName } from '../src/retention/data-state.ts';
import type { RetainedOutcome } from '../src/retention/policy.ts';

/** A moment at which a state ends, by its name in the table. */
export type End = 'never' | 'end of the hold' | 'end of the legal obligation' | 'request' | 'end of the policy';

/** A row of the table of data states: its conditions, and what holds then. A condition that is left out matches everything. */
export interface DataStateRow {
  /** Whether the erasure has begun. */
  readonly erased?: boolean;
  readonly hold?: 'none' | 'running' | 'running, without an end' | 'ended';
  readonly requested?: boolean;
  readonly outcome?: RetainedOutcome | 'open';
  readonly state: DataStateName;
  /** The latest of these moments ends the state. */
  readonly until: readonly End[];
  /** Whether answers, files and metadata are hidden. */
  readonly hidden: boolean;
  /** The latest of these moments is when the job erases the data. */
  readonly dueAt: readonly End[];
}

/** What holds of the data of a verification: the first row that matches. */
export const DATA_STATE_TABLE: readonly DataStateRow[] = [
  { erased: true, state: 'erased', until: ['never'], hidden: true, dueAt: ['never'] },
  {
    hold: 'running, without an end',
    requested: true,
    state: 'held',
    until: ['never'],
    hidden: true,
    dueAt: ['never'],
  },
  { hold: 'running, without an end', state: 'held', until: ['never'], hidden: false, dueAt: ['never'] },
  {
    hold: 'running',
    requested: true,
    state: 'held',
    until: ['end of the hold'],
    hidden: true,
    dueAt: ['end of the hold', 'end of the legal obligation', 'request'],
  },
  {
    hold: 'running',
    outcome: 'open',
    state: 'held',
    until: ['end of the hold'],
    hidden: false,
    dueAt: ['never'],
  },
  {
    hold: 'running',
    state: 'held',
    until: ['end of the hold'],
    hidden: false,
    dueAt: ['end of the hold', 'end of the legal obligation', 'end of the policy'],
  },
  {
    requested: true,
    state: 'restricted',
    until: ['end of the legal obligation', 'request'],
    hidden: true,
    dueAt: ['end of the hold', 'end of the legal obligation', 'request'],
  },
  { outcome: 'open', state: 'kept', until: ['never'], hidden: false, dueAt: ['never'] },
  {
    state: 'kept',
    until: ['end of the legal obligation', 'end of the policy'],
    hidden: false,
    dueAt: ['end of the hold', 'end of the legal obligation', 'end of the policy'],
  },
];
