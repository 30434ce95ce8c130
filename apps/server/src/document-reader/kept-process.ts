import type { DocumentReading } from '@countersign/domain';
import { type ReaderProcess, type ReaderProgram, StartFault, startReaderProcess } from './reader-process.ts';

/** How long no process is started after one that did not start. */
const PAUSE_MS = 60_000;

/** A failed reading. */
const FAILED: DocumentReading = { outcome: 'failed', readerVersion: 'none', fields: {} };

/** A picture that was not tried: it may be read later, as if for the first time. */
export const OFF: DocumentReading = { ...FAILED, outcome: 'off' };

/** Options of `keepProcess`. */
export interface KeptProcessOptions {
  readonly program: ReaderProgram;
  /** Pictures after which the process is replaced. */
  readonly picturesMax: number;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  /** Gets why a picture was not read. */
  readonly onFailure: (reason: string) => void;
}

/** A process that is started for a picture and kept for the next one. */
export interface KeptProcess {
  /** Reads a picture, after the one before. The result is not checked: the domain trusts no reader. Never rejects. */
  read(content: Uint8Array): Promise<DocumentReading>;
  isRunning(): boolean;
  /** Ends the process, if it runs. The next picture starts another. */
  end(): void;
}

/**
 * Keeps a process of a program. Every failure is a failed reading, and the next picture gets a new process; for a minute after one that did
 * not start, pictures are not tried.
 */
export function keepProcess({ program, picturesMax, now, onFailure }: KeptProcessOptions): KeptProcess {
  let running: ReaderProcess | undefined;
  let pictures = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  function end(): void {
    running?.end();
    running = undefined;
    pictures = 0;
  }

  /** Returns a process that can read. @throws Error if it does not start */
  async function ready(): Promise<ReaderProcess> {
    if (running !== undefined) return running;
    const started = startReaderProcess(program);
    running = started;
    // A process that was killed while it waited costs no reading.
    void started.ended.then(() => {
      if (running === started) end();
    });
    try {
      await started.ready;
      return started;
    } catch (fault) {
      if (fault instanceof StartFault) pausedUntil = now() + PAUSE_MS;
      throw fault;
    }
  }

  return {
    async read(content) {
      if (now() < pausedUntil) return OFF;
      try {
        const reader = await ready();
        const reading = (await reader.read(content)) as DocumentReading;
        pictures += 1;
        if (pictures >= picturesMax) end();
        return reading;
      } catch (fault) {
        end();
        onFailure(fault instanceof Error ? fault.message : 'it does not start');
        return FAILED;
      }
    },
    isRunning: () => running !== undefined,
    end,
  };
}
