import type { BoundedCount } from '../subscription/bounded-count.ts';

/** The last run of a background job of a server. */
export interface JobState {
  /** As metrics name it. */
  readonly name: string;
  /** When the last run ended; null before its end. */
  readonly endedAt: Date | null;
  /** Whether the last run succeeded; null before its end. */
  readonly ok: boolean | null;
  /** Runs that failed since the server started. */
  readonly failures: number;
}

/** What waits to be sent. */
export interface WaitingToSend {
  readonly waiting: BoundedCount;
  readonly oldestAt: Date | null;
}

/** What waits inside the service. */
export interface ServiceFigures {
  /** Verifications that wait for a reviewer. */
  readonly submitted: number;
  /** When the one that waits longest was submitted; null if none waits. */
  readonly oldestSubmittedAt: Date | null;
  /** Erasures that began a while ago and have not finished. */
  readonly unfinishedErasures: number;
  /** Endpoints of webhooks that are paused because their requests failed. */
  readonly pausedEndpoints: number;
}

/** How the service runs: its queues, and one of its servers. */
export interface ServiceState {
  readonly version: string;
  readonly startedAt: Date;
  /** Figures that take a while to read; null before their first reading. */
  readonly figures: ServiceFigures | null;
  readonly webhooks: WaitingToSend;
  readonly mails: WaitingToSend;
  readonly jobs: readonly JobState[];
}

/** Port: reads how the service runs. */
export interface ServiceStatus {
  read(): Promise<ServiceState>;
}
