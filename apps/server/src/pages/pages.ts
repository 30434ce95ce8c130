import { type CompleteVerification, isCountersignError, type RateLimitDecision } from '@countersign/domain';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { FaultContext } from '../logging/log.ts';
import type { PeerAddress } from '../serve/peer-address.ts';
import { retryAfterSeconds } from '../serve/retry-after.ts';
import type { SiteEnv } from '../serve/site-env.ts';
import { answerPage } from './page.ts';
import { PAGE_STYLE } from './page-style.ts';

export interface PagesOptions {
  readonly subject: Pick<CompleteVerification, 'open'>;
  readonly peerAddress: PeerAddress;
  /** Counts a link that is opened against the address it is opened from. */
  countRequest(address: string): Promise<RateLimitDecision>;
  /** Told of what became a 503. */
  onFault(fault: unknown, context: FaultContext): void;
}

/** As the API says it. */
const UNAVAILABLE_RETRY_SECONDS = '5';

/** What people see who open an address of this server: `/`, and `/verify/{id}.{token}`. None of it changes anything. */
export function createPages({ subject, peerAddress, countRequest, onFault }: PagesOptions): Hono<SiteEnv> {
  const pages = new Hono<SiteEnv>();

  pages.get('/', (context) => answerPage(context, 200, home));

  pages.get('/assets/page.css', (context) =>
    context.body(PAGE_STYLE, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
      'X-Content-Type-Options': 'nosniff',
    }),
  );

  // Browsers ask for it on their own: not worth a 404 in the log, nor one of the requests they may make.
  pages.get('/favicon.ico', (context) => context.body(null, 204, { 'Cache-Control': 'public, max-age=86400' }));

  pages.get('/verify/:reference', async (context) => {
    try {
      const rateLimit = await countRequest(peerAddress(context.env.incoming));
      if (!rateLimit.allowed) {
        return await answerPage(context, 429, tooMany, { 'Retry-After': String(retryAfterSeconds(rateLimit)) });
      }
      await subject.open(context.req.param('reference'));
      return await answerPage(context, 200, genuineLink);
    } catch (error) {
      if (isCountersignError(error, 'LINK_INVALID')) return await answerPage(context, 404, unknownLink);
      if (isCountersignError(error, 'LINK_EXPIRED')) return await answerPage(context, 410, expiredLink);
      onFault(error, {
        requestId: context.get('requestId'),
        method: context.req.method,
        path: '/verify/{reference}',
      });
      return await answerPage(context, 503, unavailable, { 'Retry-After': UNAVAILABLE_RETRY_SECONDS });
    }
  });

  return pages;
}

const home = {
  title: 'Identity verification service',
  root: '.',
  content: html`<p>This server verifies people (KYC) and businesses (KYB) for its clients.</p>
<p>Clients use the API below <code>/api/v1</code>: see its <a href="./docs">reference</a>.</p>
<p class="quiet">You were sent a link to verify yourself? Open the whole link, as you received it.</p>`,
} as const;

const genuineLink = {
  title: 'Your verification link',
  root: '..',
  content: html`<p>This link is genuine. It belongs to a verification that was requested for you, and it is yours alone: do not pass it on.</p>
<p>The pages on which you will answer the questions and add your documents are not part of this version of the service yet.</p>
<p class="quiet">Opening this page changed nothing. Keep the link: you will need it to continue.</p>`,
} as const;

const expiredLink = {
  title: 'This link has expired',
  root: '..',
  content: html`<p>The link was genuine, but its time is over.</p>
<p class="quiet">Ask whoever sent it to you for a new one.</p>`,
} as const;

const unknownLink = {
  title: 'This link is not valid',
  root: '..',
  content: html`<p>It may be incomplete, mistyped, or replaced by a newer one.</p>
<p class="quiet">Open the whole link, as you received it, or ask whoever sent it to you for a new one.</p>`,
} as const;

const tooMany = {
  title: 'Please try again in a minute',
  root: '..',
  content: html`<p>Too many links were opened from your network. Nothing is wrong with yours.</p>`,
} as const;

const unavailable = {
  title: 'Please try again in a moment',
  root: '..',
  content: html`<p>The service cannot look up your link right now. Nothing is lost.</p>`,
} as const;
