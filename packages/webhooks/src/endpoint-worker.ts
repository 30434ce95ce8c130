import type { Clock, Ids, VerificationEvent } from '@countersign/domain';
import type {
  Delivery,
  EndpointLease,
  Mail,
  Outage,
  Settlement,
  WebhookRepository,
} from '@countersign/domain/storage';
import {
  type AttemptResult,
  afterAttempt,
  pausedIfFailingSince,
  RECOVERY,
  type StoredSecret,
  signingSecrets,
  type WebhookEndpoint,
  type WebhookResponse,
  type WebhookSender,
  webhookBodyOf,
} from '@countersign/domain/webhooks';
import type { SenderSlots } from './sender-slots.ts';

/** From then on a request is slow, and its endpoint gets one slot among the slow ones. */
const SLOW_MS = 1_000;

/**
 * The most requests to one endpoint that are under way, each about another verification. A receiver that takes a third of a second
 * gets 140 webhooks a second.
 */
const MOST_AT_ONCE = 48;

/** How long a worker goes on with an endpoint as it read it, in milliseconds. Then it reads changes of URL and secrets. */
const REREAD_MS = 1_000;

/** How long after its last success a recovery is forgotten: the deliveries that it has not woken then wait for their retry. */
const FORGET_RECOVERY_MS = 60_000;

const UNREADABLE = 'The secret of this endpoint could not be decrypted. Replace the secret.';

/** Result of an attempt. */
export type AttemptOutcome = AttemptResult['result'];

/** Runs an attempt to send the webhook of an event, for programs that observe attempts. Rejects as the attempt does. */
export type AroundAttempt = (event: VerificationEvent, attempt: () => Promise<void>) => Promise<void>;

/** The outage of an endpoint after which more wait than were made due, and when those were. */
export interface Recovery {
  readonly outage: Outage;
  readonly wokenAt: Date;
}

/** Dependencies that all workers share. */
export interface Work {
  readonly webhooks: WebhookRepository;
  readonly sender: WebhookSender;
  readonly slots: SenderSlots;
  /** By endpoint. What waits when a process ends keeps its retry. */
  readonly recoveries: Map<string, Recovery>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Returns a number from 0 up to 1, 1 excluded. */
  random(): number;
  /** Makes the mails that enter the queue when the endpoint is paused because it fails. */
  mailsIfPaused(endpoint: WebhookEndpoint): Promise<readonly Mail[]>;
  onAttempt(outcome: AttemptOutcome): void;
  readonly aroundAttempt: AroundAttempt;
  onFault(fault: unknown): void;
}

/** Questions of a worker to its dispatcher. */
export interface WorkerControl {
  /** Whether the worker may begin another request: it is not stopped, and its lease holds. */
  mayBegin(): Promise<boolean>;
  /** Whether results are still stored. */
  maySettle(): boolean;
  /** Resolves when deliveries may have become due. */
  untilMoreDue(): Promise<void>;
  /** Gets whether the receiver responds slowly, as soon as this is known. */
  noteSpeed(isSlow: boolean): void;
}

/**
 * Sends due deliveries to a leased endpoint until none is left or the worker must stop. Begins with one request at a
 * time, and doubles that with each quick success.
 */
export async function workOnEndpoint(
  {
    webhooks,
    sender,
    slots,
    recoveries,
    clock,
    ids,
    random,
    mailsIfPaused,
    onAttempt,
    aroundAttempt,
    onFault,
  }: Work,
  { endpoint: leased, lease }: { readonly endpoint: WebhookEndpoint; readonly lease: EndpointLease },
  control: WorkerControl,
): Promise<void> {
  let endpoint = leased;
  let readAt = clock.now();
  const underWay = new Map<string, Promise<void>>();
  let atOnce = 1;
  let isSlow = endpoint.failingSince !== null;
  let isLost = false;

  const mayBegin = async () => !isLost && (await control.mayBegin());

  function noteSpeed(slow: boolean): void {
    isSlow = slow;
    control.noteSpeed(slow);
  }

  /** @returns false if nothing is due or under way */
  async function beginDue(): Promise<boolean> {
    const due = await webhooks.due(lease, {
      now: clock.now(),
      limit: atOnce - underWay.size,
      except: [...underWay.keys()],
    });
    if (due === null) return false;
    await rereadEndpoint();
    for (const delivery of due) await begin(delivery);
    return underWay.size > 0;
  }

  /** A busy endpoint stays leased for hours: meanwhile its URL may be changed or its secret replaced. */
  async function rereadEndpoint(): Promise<void> {
    const now = clock.now();
    if (now.getTime() - readAt.getTime() < REREAD_MS) return;
    const endpoints = await webhooks.list(lease.clientId);
    const found = endpoints.find(({ id }) => id === lease.endpointId);
    if (found === undefined) isLost = true;
    else endpoint = found;
    readAt = now;
  }

  async function begin(delivery: Delivery): Promise<void> {
    const slot = await slots.take(isSlow);
    if (!(await mayBegin())) return slot.release();
    const turnsSlow = setTimeout(() => {
      noteSpeed(true);
      slot.markSlow();
    }, SLOW_MS);
    const { verificationId } = delivery.event;
    const request = aroundAttempt(delivery.event, () => attempt(delivery)).finally(() => {
      clearTimeout(turnsSlow);
      slot.release();
      underWay.delete(verificationId);
    });
    // Awaited below; a fault of the first one must not count as unhandled meanwhile.
    request.catch(() => undefined);
    underWay.set(verificationId, request);
  }

  async function attempt({ event, attempts }: Delivery): Promise<void> {
    const at = clock.now();
    const body = JSON.stringify(webhookBodyOf(event));
    const response = await send(event.id, body, at);
    if (!control.maySettle()) return;
    learnFrom(response);
    const now = clock.now();
    const next = afterAttempt(response, { attempts: attempts + 1, now, spread: random() });
    const { durationMs, status, text, fault } = response;
    const pauseIfFailingSince = pausedIfFailingSince(now);
    const { failingSince } = endpoint;
    const mayPause = next.result !== 'delivered' && failingSince !== null && failingSince <= pauseIfFailingSince;
    const settled = await webhooks.settle(
      lease,
      { eventId: event.id, verificationId: event.verificationId, version: event.version },
      {
        attempt: { id: ids.next(), at, durationMs, request: body, status, response: text, fault },
        settlement: settlementOf(next),
        pauseIfFailingSince,
        wake: { ...RECOVERY, outage: next.result === 'delivered' ? takeUnfinished(at) : undefined },
        disable: next.result === 'gone',
        mailsIfPaused: mayPause ? await mailsOrNone() : [],
      },
    );
    if (settled.outcome === 'lease_lost') {
      isLost = true;
      return;
    }
    if (settled.unfinished !== undefined) {
      recoveries.set(lease.endpointId, { outage: settled.unfinished, wokenAt: at });
    }
    onAttempt(next.result);
  }

  /** Returns the outage after which more wait than one success makes due, once half of those that it made due were. */
  function takeUnfinished(at: Date): Outage | undefined {
    const recovery = recoveries.get(lease.endpointId);
    if (recovery === undefined) return;
    const sinceWokenMs = at.getTime() - recovery.wokenAt.getTime();
    if (sinceWokenMs < RECOVERY.withinMs / 2) return;
    recoveries.delete(lease.endpointId);
    return sinceWokenMs < FORGET_RECOVERY_MS ? recovery.outage : undefined;
  }

  /** A pause without mails is better than no pause. */
  function mailsOrNone(): Promise<readonly Mail[]> {
    return mailsIfPaused(endpoint).catch((fault: unknown) => {
      onFault(fault);
      return [];
    });
  }

  async function send(id: string, body: string, at: Date): Promise<WebhookResponse> {
    let secrets: string[];
    try {
      secrets = signingSecrets(endpoint, at).map(plainValue);
    } catch (fault) {
      onFault(fault);
      return {
        status: null,
        verdict: 'failed',
        retryAfterSeconds: null,
        text: null,
        fault: UNREADABLE,
        durationMs: 0,
      };
    }
    return await sender.send({ id, url: endpoint.url, body, secrets, at });
  }

  function learnFrom({ status, verdict, durationMs }: WebhookResponse): void {
    noteSpeed(durationMs > SLOW_MS || status === null);
    atOnce = verdict === 'accepted' && !isSlow ? Math.min(atOnce * 2, MOST_AT_ONCE) : 1;
  }

  try {
    let asks = true;
    while (await mayBegin()) {
      // Half of the requests are replaced together: a query for each would take longer than a quick receiver does.
      asks ||= underWay.size <= atOnce / 2;
      if (asks && underWay.size < atOnce && !(await beginDue())) break;
      asks = false;
      const moreDue = control.untilMoreDue().then(() => {
        asks = true;
      });
      if (underWay.size > 0) await Promise.race([...underWay.values(), moreDue]);
    }
  } finally {
    // The lease must not end before its requests: a second worker would send a later version meanwhile.
    await Promise.allSettled(underWay.values());
  }
  await Promise.all(underWay.values());
}

/** @throws whatever the sealing layer does for a secret that it cannot decrypt */
function plainValue({ value, wrappedBy }: StoredSecret): string {
  if (wrappedBy !== null) throw new Error('The secret is encrypted. Give the dispatcher the sealed repository.');
  return value;
}

function settlementOf(next: AttemptResult): Settlement {
  switch (next.result) {
    case 'delivered':
      return { state: 'delivered' };
    case 'retry':
      return { state: 'waiting', dueAt: next.dueAt };
    case 'failed':
    case 'gone':
      return { state: 'failed' };
  }
}
