import type { Attempt, AuditRecorder, Made } from '../src/audit/audit-recorder.ts';

/** What a recorder was given, in order. */
export interface RecordedActions {
  readonly ran: Attempt[];
  readonly refused: [Attempt, code: string][];
  readonly notDone: [Attempt, error: unknown][];
  readonly made: Made[];
}

export const nothingRecorded = (): RecordedActions => ({ ran: [], refused: [], notDone: [], made: [] });

/** Makes a recorder that adds to `recorded`. An action that ends with a refusal is in `ran` and in `refused`. */
export function recorderInto({ ran, refused, notDone, made }: RecordedActions): AuditRecorder {
  return {
    async act({ attempt, run, refusalOf, made: madeOf }) {
      ran.push(attempt);
      const result = await run();
      const code = refusalOf?.(result) ?? null;
      if (code !== null) refused.push([attempt, code]);
      const what = madeOf?.(result) ?? null;
      if (what !== null) made.push(what);
      return result;
    },
    refused: async (attempt, code) => void refused.push([attempt, code]),
    notDone: async (attempt, error) => void notDone.push([attempt, error]),
  };
}
