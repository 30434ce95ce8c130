import type { RateLimiter } from '@countersign/domain';
import type { LogoIntake } from '@countersign/domain/clients';
import type { Evidence } from '@countersign/domain/evidence';
import type { Mailer } from '@countersign/domain/mail';
import type { Spans } from './spans.ts';
import { traceMethods } from './trace-methods.ts';

/** Wraps a rate limiter. The bucket, which holds an id or an address, is never added. */
export function traceRateLimiter(rateLimiter: RateLimiter, spans: Spans): RateLimiter {
  return traceMethods(rateLimiter, spans, (method) => ({ name: `rateLimiter.${method}`, kind: 'client' }));
}

/** Wraps the store of files and their decoder. */
export function traceEvidence<E extends Evidence & { readonly intake: LogoIntake }>(evidence: E, spans: Spans): E {
  return {
    ...evidence,
    store: traceMethods(evidence.store, spans, (method) => ({ name: `evidence.${method}`, kind: 'client' })),
    intake: traceMethods(evidence.intake, spans, (method) => ({ name: `decoder.${method}` })),
  };
}

/** Wraps a mailer so that each attempt is a span, and a trace of its own in the background job that sends mails. */
export function traceMailer<M extends Mailer>(mailer: M, spans: Spans): M {
  return {
    ...mailer,
    send: (content) =>
      spans.run({ name: `mail ${content.kind}`, kind: 'client' }, async (span) => {
        const result = await mailer.send(content);
        span.set({ 'countersign.mail.outcome': result.outcome });
        if (result.outcome !== 'accepted') span.fail();
        return result;
      }),
  };
}
