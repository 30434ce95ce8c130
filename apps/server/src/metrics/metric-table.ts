/** A metric of the table. The key of its name is its kind. */
export type Metric = {
  readonly help: string;
  /** The values of each label, which its help text does not repeat; `any` if callers choose them. No value is a client, a key or an address. */
  readonly labels?: Readonly<Record<string, 'any' | readonly string[]>>;
  /** Whether its value is read at each scrape. */
  readonly isRead?: true;
} & (
  | { readonly counter: string }
  | { readonly gauge: string }
  | { readonly histogram: string; readonly buckets: readonly number[] }
);

/** All metrics of the service, by part. A server starts a part when it has something to count, and `server` always. */
export const METRICS = {
  server: {
    requests: {
      histogram: 'countersign_http_request_duration_seconds',
      help: 'Duration of answered requests in seconds, by route, method and status',
      labels: { route: 'any', method: 'any', status: 'any' },
      // In seconds: from the time of a read to the longest time a client waits.
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    },
    storageUnavailable: {
      counter: 'countersign_storage_unavailable_total',
      help: 'Requests, readiness checks and jobs that the database or the store of files did not serve in time',
    },
    unreadableVerifications: {
      counter: 'countersign_unreadable_verifications_total',
      help: 'Unreadable verifications found while listing',
    },
    refusals: {
      counter: 'countersign_refusals_total',
      help: 'Requests of the API that were answered with an error, by its code',
      labels: { code: 'any' },
    },
    // Without labels, so that Prometheus sees the first increase: a counter with labels begins with 1.
    internalErrors: {
      counter: 'countersign_internal_errors_total',
      help: 'Requests that were answered with 500',
    },
    signInFailures: {
      counter: 'countersign_sign_in_failures_total',
      help: 'Refused attempts to sign in or to confirm an identity, by what was wrong',
      labels: { reason: ['password', 'second_factor', 'confirmation', 'throttled'] },
    },
    bulkReadings: {
      counter: 'countersign_bulk_reading_total',
      help: 'Times that a reviewer reached a limit of bulk reading, by what was read',
      labels: { read: ['cases', 'queue_pages', 'searches'] },
    },
    secretUses: {
      counter: 'countersign_secret_uses_total',
      help: 'Data keys opened, by the secret that wraps them',
      labels: { secret: ['newest', 'older'] },
    },
    evidenceUnavailable: {
      counter: 'countersign_evidence_unavailable_total',
      help: 'Operations on files that their folder or bucket could not do',
      labels: { operation: ['put', 'get', 'delete', 'list'] },
    },
    expired: {
      counter: 'countersign_verifications_expired_total',
      help: 'Verifications that this server expired because they were not completed in time',
    },
    erased: {
      counter: 'countersign_verifications_erased_total',
      help: 'Verifications whose data this server erased in the background',
    },
    erasuresPaused: {
      gauge: 'countersign_erasures_paused',
      help: '1 while nothing is erased because the clock may have jumped',
    },
    missingInErasureLog: {
      gauge: 'countersign_erasure_log_missing_entries',
      help: 'Erasures of the database that the erasure log lacks',
    },
    unexpectedInErasureLog: {
      gauge: 'countersign_erasure_log_unexpected_entries',
      help: 'Entries of the erasure log that were left alone, because the erasure of their verification never began in this database',
    },
  },
  // Only with a shared store: without one, zero would mean that it is down.
  sharedRateLimits: {
    isUp: {
      gauge: 'countersign_shared_rate_limits_up',
      help: '1 while the shared store counts requests, 0 while this process counts locally',
    },
    switches: {
      counter: 'countersign_shared_rate_limit_switches_total',
      help: 'Switches of counting to this process (local) and back to the store (shared)',
      labels: { to: ['local', 'shared'] },
    },
  },
  service: {
    build: {
      gauge: 'countersign_build_info',
      help: '1, with the versions of the server and of Node',
      labels: { version: 'any', node: 'any' },
    },
    secrets: { gauge: 'countersign_secrets', help: 'Configured secrets', isRead: true },
    secretsMissing: {
      gauge: 'countersign_secrets_missing',
      help: 'Secrets that sealed stored data and that this server lacks',
      isRead: true,
    },
    decoderWaiting: {
      gauge: 'countersign_decoder_waiting',
      help: 'Uploaded files that wait for the decoder',
      isRead: true,
    },
    decoderRunning: {
      gauge: 'countersign_decoder_running',
      help: 'Uploaded files that are decoded now',
      isRead: true,
    },
    decoderKills: {
      counter: 'countersign_decoder_kills_total',
      help: 'Uploaded files whose decoding was stopped at the deadline',
      isRead: true,
    },
  },
  readings: {
    outcomes: {
      counter: 'countersign_readings_total',
      help: 'Pictures of documents that went to the reader, by what came of it',
      labels: { outcome: ['read', 'nothing', 'failed'] },
    },
    duration: {
      histogram: 'countersign_reading_duration_seconds',
      help: 'Time from an upload to its reading in seconds, with the wait',
      // From a calm server to a full queue.
      buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32],
    },
    waiting: {
      gauge: 'countersign_readings_waiting',
      help: 'Pictures of documents that wait for the reader',
      isRead: true,
    },
  },
  postgres: {
    connections: {
      gauge: 'countersign_database_connections',
      help: 'Open connections to the database',
      isRead: true,
    },
    connectionsMax: {
      gauge: 'countersign_database_connections_max',
      help: 'Most connections to the database',
      isRead: true,
    },
    queriesWaiting: {
      gauge: 'countersign_database_queries_waiting',
      help: 'Queries waiting for a connection',
      isRead: true,
    },
    creationsWaiting: {
      gauge: 'countersign_creations_waiting',
      help: 'Creations waiting for others of their client',
      isRead: true,
    },
  },
  sqlite: {
    isDamaged: {
      gauge: 'countersign_database_damaged',
      help: '1 once the SQLite database was found damaged, until the server stops',
      isRead: true,
    },
  },
  webhooks: {
    attempts: {
      counter: 'countersign_webhook_attempts_total',
      help: 'Requests to endpoints, by outcome',
      labels: { outcome: ['delivered', 'retry', 'failed', 'gone'] },
    },
    backlog: {
      gauge: 'countersign_webhook_backlog',
      help: 'Webhooks that active endpoints have not received yet',
      isRead: true,
    },
    oldestAge: {
      gauge: 'countersign_webhook_oldest_age_seconds',
      help: 'Time since the oldest event of the backlog; 0 without one',
      isRead: true,
    },
  },
  mails: {
    attempts: {
      counter: 'countersign_mail_attempts_total',
      help: 'Attempts to send a mail, by result',
      labels: {
        result: ['accepted', 'refused', 'deferred', 'no_answer', 'unreachable', 'encryption', 'sign_in', 'sender'],
      },
    },
    held: {
      counter: 'countersign_mail_held_total',
      help: 'Times that a mail was held back because its recipient had reached a limit',
    },
    backlog: {
      gauge: 'countersign_mail_backlog',
      help: 'Mails that should have been sent and that no server has accepted yet',
      isRead: true,
    },
    oldestAge: {
      gauge: 'countersign_mail_oldest_age_seconds',
      help: 'Time since the oldest of them became due; 0 without one',
      isRead: true,
    },
  },
  jobs: {
    runs: {
      counter: 'countersign_job_runs_total',
      help: 'Runs of background jobs, by outcome',
      labels: { job: 'any', outcome: ['ok', 'failed'] },
    },
    duration: {
      gauge: 'countersign_job_duration_seconds',
      help: 'Duration of the last run of a background job',
      labels: { job: 'any' },
    },
    lastSuccess: {
      gauge: 'countersign_job_last_success_timestamp_seconds',
      help: 'When a background job last succeeded',
      labels: { job: 'any' },
    },
  },
  // From the first reading on: before it, zero would be wrong.
  figures: {
    oldestWaiting: {
      gauge: 'countersign_oldest_waiting_seconds',
      help: 'Time since the verification that waits longest for a reviewer was submitted; 0 if none waits',
      isRead: true,
    },
    longestOverdue: {
      gauge: 'countersign_longest_overdue_seconds',
      help: 'Time since the earliest due time of a verification that still waits for a reviewer; 0 if none is overdue',
      isRead: true,
    },
    overdue: {
      gauge: 'countersign_verifications_overdue',
      help: 'Verifications that wait for a reviewer after the due time of their client; the same on every server',
    },
    erasedSpaceUncleared: {
      gauge: 'countersign_erased_space_uncleared_seconds',
      help: 'Time since the oldest erasure after which copies of erased values can be in the SQLite file; 0 without any',
      isRead: true,
    },
    verifications: {
      gauge: 'countersign_verifications',
      help: 'Verifications of all clients by status, with those in test mode; the same on every server',
      labels: { status: 'any' },
    },
    databaseBytes: { gauge: 'countersign_database_bytes', help: 'Size of the database' },
    unfinishedErasures: {
      gauge: 'countersign_erasures_unfinished',
      help: 'Erasures that began more than ten minutes ago and have not finished',
    },
    pausedEndpoints: {
      gauge: 'countersign_webhook_endpoints_paused',
      help: 'Endpoints of all clients that are paused because their requests failed',
    },
    diskFree: {
      gauge: 'countersign_disk_free_bytes',
      help: 'Free space for a folder',
      labels: { folder: 'any' },
    },
    diskSize: {
      gauge: 'countersign_disk_bytes',
      help: 'Size of the file system of a folder',
      labels: { folder: 'any' },
    },
    readAt: {
      gauge: 'countersign_figures_timestamp_seconds',
      help: 'When the figures of verifications, database and disks were last read',
    },
  },
} as const;
