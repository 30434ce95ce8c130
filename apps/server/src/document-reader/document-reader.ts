import type { DocumentReader, DocumentReading, ReadRequest } from '@countersign/domain';
import { keepProcess, OFF } from './kept-process.ts';
import { BARCODES, type ReaderProgram, ZONES } from './reader-process.ts';

/** Pictures that wait for the reader at most, and their bytes. Later ones are not tried. */
const WAITING_MAX = 20;
const WAITING_MAX_BYTES = 40 * 1024 * 1024;

/** How long the process of zones waits for the next picture. */
const IDLE_MS = 60_000;

/** Pictures after which that process is replaced. */
const PICTURES_MAX = 200;

/** A barcode's process reads one picture. */
const BARCODES_MAX = 1;

/** Issuers of licences whose barcode is read. Others have none, and looking for one would cost a second of processor time. */
const BARCODE_ISSUERS: readonly (string | null)[] = ['US', 'CA', null];

/** Options of `createDocumentReader`. */
export interface DocumentReaderOptions {
  /** Receives the reason why a picture was not read, without the picture. */
  readonly onFailure: (reason: string) => void;
  /** Reads machine-readable zones. Default: the program of this package. */
  readonly zones?: ReaderProgram | undefined;
  /** Reads barcodes of licences. Default: the program of this package. */
  readonly barcodes?: ReaderProgram | undefined;
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
  /** Whether a process of the reader runs. */
  readonly isRunning: boolean;
}

/** A reader of documents in processes of its own. */
export interface ApartReader extends DocumentReader {
  stats(): ReaderStats;
  /** Ends the processes. Pictures that wait or are being read count as not tried. */
  close(): void;
}

interface Job {
  readonly request: ReadRequest;
  readonly resolve: (reading: DocumentReading) => void;
}

const NOTHING: DocumentReading = { outcome: 'nothing', readerVersion: 'none', fields: {} };

/**
 * Creates a reader of documents: of machine-readable zones, and of barcodes where the subject chose a licence that has one. Each has a program
 * that is started for a picture. Both read from one queue, one picture at a time; that of zones ends when it is idle.
 */
export function createDocumentReader({
  onFailure,
  zones = ZONES,
  barcodes = BARCODES,
  idleMs = IDLE_MS,
  picturesMax = PICTURES_MAX,
  now = () => performance.now(),
}: DocumentReaderOptions): ApartReader {
  const waiting: Job[] = [];
  let isWorking = false;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  const report = (reason: string) => {
    if (!isClosed) onFailure(reason);
  };
  const zone = keepProcess({ program: zones, picturesMax, now, onFailure: report });
  const barcode = keepProcess({ program: barcodes, picturesMax: BARCODES_MAX, now, onFailure: report });

  function end(): void {
    zone.end();
    barcode.end();
  }

  async function read({ content, documentType, issuer }: ReadRequest): Promise<DocumentReading> {
    const hasBarcode = documentType === 'driving_licence' && BARCODE_ISSUERS.includes(issuer);
    const licence = hasBarcode ? await barcode.read(content) : NOTHING;
    if (licence.outcome === 'read' || isClosed) return licence;
    // The subject may have chosen the wrong type. What a failed look for a barcode has missed stays missing.
    const reading = await zone.read(content);
    return reading.outcome === 'nothing' && licence.outcome !== 'nothing' ? licence : reading;
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    clearTimeout(idle);
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const reading = await read(job.request);
      // A picture whose process was ended was not tried.
      job.resolve(isClosed ? OFF : reading);
    }
    isWorking = false;
    if (!isClosed) idle = setTimeout(end, idleMs).unref();
  }

  function hasRoom(size: number): boolean {
    const bytes = waiting.reduce((sum, { request }) => sum + request.content.byteLength, size);
    return waiting.length < WAITING_MAX && bytes <= WAITING_MAX_BYTES;
  }

  return {
    async read(request) {
      const { content, contentType } = request;
      if (contentType !== 'image/jpeg') return NOTHING;
      if (isClosed) return OFF;
      if (!hasRoom(content.byteLength)) {
        onFailure('too many pictures wait');
        return OFF;
      }
      return new Promise((resolve) => {
        waiting.push({ request, resolve });
        void work();
      });
    },
    stats: () => ({ waiting: waiting.length, isRunning: zone.isRunning() || barcode.isRunning() }),
    close() {
      isClosed = true;
      clearTimeout(idle);
      for (const { resolve } of waiting.splice(0)) resolve(OFF);
      end();
    },
  };
}
