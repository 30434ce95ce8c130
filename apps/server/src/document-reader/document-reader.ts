import type { DocumentReader, DocumentReading } from '@countersign/domain';
import type { Deadline } from '@countersign/evidence';
import { READING, type ReaderProcess, StartFault, startReaderProcess } from './reader-process.ts';

/** Pictures that wait for the reader at most, and their bytes. Later ones are not read. */
const WAITING_MAX = 20;
const WAITING_MAX_BYTES = 40 * 1024 * 1024;

/** How long the process waits for the next picture. */
const IDLE_MS = 60_000;

/** Pictures after which a process is replaced. */
const PICTURES_MAX = 200;

/** How long no process is started after one that did not start. */
const PAUSE_MS = 60_000;

/** Options of `createDocumentReader`. */
export interface DocumentReaderOptions {
  /** Receives the reason why a picture was not read, without the picture. */
  readonly onFailure: (reason: string) => void;
  /** Default: the program of this package. */
  readonly program?: URL | undefined;
  /** Default: 1.5 s of processor time, 5 s on the clock. */
  readonly limit?: Deadline;
  /** Default: a minute. */
  readonly idleMs?: number;
  /** Default: 200. */
  readonly picturesMax?: number;
  /** A clock in milliseconds that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
}

/** What the reader does, for metrics. */
export interface ReaderStats {
  /** Pictures that wait for the reader. */
  readonly waiting: number;
  /** Whether the process of the reader runs. */
  readonly isRunning: boolean;
}

/** A reader of documents in a process of its own. */
export interface ApartReader extends DocumentReader {
  stats(): ReaderStats;
  /** Ends the process. Pictures that wait are never answered: they stay unread. */
  close(): void;
}

interface Job {
  readonly content: Uint8Array;
  readonly resolve: (reading: DocumentReading) => void;
}

const FAILED: DocumentReading = { outcome: 'failed', readerVersion: 'none', fields: {} };
const NOTHING: DocumentReading = { outcome: 'nothing', readerVersion: 'none', fields: {} };

/**
 * Creates a reader of machine-readable zones. Its process is started for the first picture, reads one at a time, and ends when it is idle.
 * Every failure is a failed reading, and the next picture gets a new process.
 */
export function createDocumentReader({
  onFailure,
  program,
  limit = READING,
  idleMs = IDLE_MS,
  picturesMax = PICTURES_MAX,
  now = () => performance.now(),
}: DocumentReaderOptions): ApartReader {
  const waiting: Job[] = [];
  let running: ReaderProcess | undefined;
  let pictures = 0;
  let isWorking = false;
  let isClosed = false;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let idle: NodeJS.Timeout | undefined;

  function end(): void {
    running?.end();
    running = undefined;
    pictures = 0;
  }

  /** Returns a process that can read. @throws Error if it does not start */
  async function ready(): Promise<ReaderProcess> {
    if (running !== undefined) return running;
    const started = startReaderProcess(program, limit);
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

  async function read(content: Uint8Array): Promise<DocumentReading> {
    if (now() < pausedUntil) return FAILED;
    try {
      const reader = await ready();
      // Not checked here: the domain trusts no reader.
      const reading = (await reader.read(content)) as DocumentReading;
      pictures += 1;
      if (pictures >= picturesMax) end();
      return reading;
    } catch (fault) {
      end();
      if (!isClosed) onFailure(fault instanceof Error ? fault.message : 'it does not start');
      return FAILED;
    }
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    clearTimeout(idle);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const reading = await read(job.content);
      if (isClosed) return;
      job.resolve(reading);
    }
    isWorking = false;
    idle = setTimeout(end, idleMs).unref();
  }

  function hasRoom(size: number): boolean {
    const bytes = waiting.reduce((sum, { content }) => sum + content.byteLength, size);
    return waiting.length < WAITING_MAX && bytes <= WAITING_MAX_BYTES;
  }

  return {
    async read({ content, contentType }) {
      if (contentType !== 'image/jpeg') return NOTHING;
      if (isClosed) return FAILED;
      if (!hasRoom(content.byteLength)) {
        onFailure('too many pictures wait');
        return FAILED;
      }
      return new Promise((resolve) => {
        waiting.push({ content, resolve });
        void work();
      });
    },
    stats: () => ({ waiting: waiting.length, isRunning: running !== undefined }),
    close() {
      isClosed = true;
      clearTimeout(idle);
      waiting.length = 0;
      end();
    },
  };
}
