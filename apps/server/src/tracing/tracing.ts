import type { Countersign, RateLimiter } from '@countersign/domain';
import type { LogoIntake } from '@countersign/domain/clients';
import type { Evidence } from '@countersign/domain/evidence';
import type { Mailer } from '@countersign/domain/mail';
import type { Storage } from '@countersign/domain/storage';
import type { WebhookSender } from '@countersign/domain/webhooks';
import type { AroundAttempt } from '@countersign/webhooks';
import type { Log } from '../logging/log.ts';
import type { AnswerRequest } from '../serve/request-listener.ts';

/** Wraps the parts of a server so that their work appears in traces. */
export interface Tracing {
  log(log: Log): Log;
  listener(answer: AnswerRequest): AnswerRequest;
  core(core: Countersign): Countersign;
  storage<S extends Storage>(storage: S, kind: 'sqlite' | 'postgres'): S;
  rateLimiter(rateLimiter: RateLimiter): RateLimiter;
  evidence<E extends Evidence & { readonly intake: LogoIntake }>(evidence: E): E;
  mailer<M extends Mailer>(mailer: M): M;
  sender<S extends WebhookSender>(sender: S): S;
  /** Makes the header that passes the trace on to the receiver of a webhook. */
  readonly webhookHeaders: (() => Readonly<Record<string, string>>) | undefined;
  readonly aroundAttempt: AroundAttempt | undefined;
  /** Sends remaining spans to the collector, for five seconds at most. */
  close(): Promise<void>;
}

/** Leaves every part as it is. */
export const NO_TRACING: Tracing = {
  log: (log) => log,
  listener: (answer) => answer,
  core: (core) => core,
  storage: (storage) => storage,
  rateLimiter: (rateLimiter) => rateLimiter,
  evidence: (evidence) => evidence,
  mailer: (mailer) => mailer,
  sender: (sender) => sender,
  webhookHeaders: undefined,
  aroundAttempt: undefined,
  close: async () => undefined,
};
