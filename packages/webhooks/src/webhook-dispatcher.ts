import { type Clock, type Ids, VerificationFault } from '@countersign/domain';
import type { EndpointLease, Mail, WebhookRepository } from '@countersign/domain/storage';
import type { WebhookEndpoint, WebhookSender } from '@countersign/domain/webhooks';
import {
  type AroundAttempt,
  type AttemptOutcome,
  type Work,
  type WorkerControl,
  workOnEndpoint,
} from './endpoint-worker.ts';
import { createSenderSlots, type SlotLimits } from './sender-slots.ts';
import { createSlowEndpoints } from './slow-endpoints.ts';

const SECOND_MS = 1_000;

/** How often the dispatcher polls after a round without events, and after a round with some. */
const IDLE_MS = SECOND_MS;
const BUSY_MS = 100;

/** The longest pause after faults, such as an outage of the database. Each is twice as long as the one before. */
const LONGEST_PAUSE_MS = 30 * SECOND_MS;

/**
 * How long an endpoint stays leased after a process was killed, and how often a lease is extended. Short, because the events
 * of the endpoint wait so long.
 */
const LEASE_MS = 2 * SECOND_MS;
const EXTEND_EVERY_MS = SECOND_MS / 2;

const EVENTS_AT_ONCE = 500;
const LEASES_AT_ONCE = 50;

/** Requests under way. */
const SENDER_SLOTS: SlotLimits = { total: 512, quick: 128, slow: 64 };

/**
 * Leased endpoints. Slow ones have a bound of their own, so that any number of hanging receivers leaves leases to the others.
 */
const LEASES: SlotLimits = { total: 512, quick: 200, slow: SENDER_SLOTS.slow };

/** How long `close` waits for requests under way by default. */
const CLOSE_MS = 10 * SECOND_MS;

/** Options of `startWebhookDispatcher`. */
export interface WebhookDispatcherOptions {
  /** Endpoints and deliveries. Their secrets are decrypted: give the storage as the sealing layer wraps it. */
  readonly webhooks: WebhookRepository;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Returns a number from 0 up to 1, 1 excluded, that spreads retries. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Makes the mails that enter the queue when an endpoint is paused because it fails. Default: none. */
  readonly mailsIfPaused?: ((endpoint: WebhookEndpoint) => Promise<readonly Mail[]>) | undefined;
  /** Gets faults of the storage. The dispatcher goes on after them. Those about one endpoint are a `VerificationFault`. */
  onFault(fault: unknown): void;
  /** Gets the result of each attempt. */
  readonly onAttempt?: ((outcome: AttemptOutcome) => void) | undefined;
  /** Runs each attempt, from the request to the stored result. Default: calls it. */
  readonly aroundAttempt?: AroundAttempt | undefined;
}

/** Sends the webhooks of committed events until it is closed. */
export interface WebhookDispatcher {
  /** Looks for events at once, instead of within a second. */
  wake(): void;
  /**
   * Begins no further requests, waits for those under way, and ends the leases. Results that come later are dropped: those
   * webhooks are sent again.
   */
  close(options?: { readonly withinMs?: number }): Promise<void>;
}

interface Held {
  readonly lease: EndpointLease;
  until: Date;
  /** Whether a request to the endpoint has been slow under this lease, and none was quick after it. */
  turnedSlow: boolean;
}

/**
 * Starts a dispatcher. Any number of processes may run one on the same storage: each webhook is sent at least once, and those
 * of a verification in their order.
 *
 * @example
 * const dispatcher = startWebhookDispatcher({ webhooks: storage.webhooks, sender, clock, ids, onFault: console.error });
 * await dispatcher.close();
 */
export function startWebhookDispatcher({
  webhooks,
  sender,
  clock,
  ids,
  random = Math.random,
  mailsIfPaused = async () => [],
  onFault,
  onAttempt = () => undefined,
  aroundAttempt = (_event, attempt) => attempt(),
}: WebhookDispatcherOptions): WebhookDispatcher {
  const work: Work = {
    webhooks,
    sender,
    slots: createSenderSlots(SENDER_SLOTS),
    recoveries: new Map(),
    clock,
    ids,
    random,
    mailsIfPaused,
    onAttempt,
    aroundAttempt,
    onFault,
  };
  const leases = new Set<Held>();
  const slow = createSlowEndpoints(LEASES.slow);
  const workers = new Set<Promise<void>>();
  const alarm = createAlarm();
  let moreDue = Promise.withResolvers<void>();
  let isClosing = false;
  let isAbandoned = false;

  const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS);

  /** @returns whether there was something to do */
  async function look(): Promise<boolean> {
    const now = clock.now();
    const events = await webhooks.fanOut({ now, limit: EVENTS_AT_ONCE });
    // Other processes fan out too, so workers ask again in any case.
    moreDue.resolve();
    moreDue = Promise.withResolvers<void>();
    if (events === EVENTS_AT_ONCE) alarm.ring();
    return (await leaseDue(now)) || events > 0;
  }

  const countSlow = () => [...leases].filter(({ lease }) => slow.has(lease.endpointId)).length;

  /** Leases slow endpoints apart from the others while there are more of them than may be leased at once. */
  async function leaseDue(now: Date): Promise<boolean> {
    const countOfSlow = countSlow();
    const quick = LEASES.quick - (leases.size - countOfSlow);
    const leased = await leaseUpTo(Math.min(quick, LEASES_AT_ONCE), slow.isCrowded() ? slow.all() : [], now);
    if (!slow.isCrowded()) return leased > 0;
    const limit = LEASES.slow - countOfSlow;
    const leasedSlow = await leaseUpTo(limit, slow.servedInThisRound(), now);
    if (leasedSlow < limit) slow.beginRound();
    return leased + leasedSlow > 0;
  }

  /** @returns the number of leased endpoints */
  async function leaseUpTo(most: number, except: readonly string[], now: Date): Promise<number> {
    const limit = Math.min(most, LEASES.total - leases.size);
    if (limit <= 0) return 0;
    const leaseToken = ids.next();
    const until = leaseEnd(now);
    // A lease that ran out during a stall goes on when it is extended, unless another process took the endpoint.
    const held = [...leases].map(({ lease }) => lease.endpointId);
    const request = { leaseToken, now, until, limit, except: [...except, ...held] };
    const endpoints = await webhooks.leaseEndpoints(request);
    for (const endpoint of endpoints) startWorker(endpoint, { leaseToken, until });
    return endpoints.length;
  }

  function startWorker(
    endpoint: WebhookEndpoint,
    { leaseToken, until }: { leaseToken: string; until: Date },
  ): void {
    const { id, clientId, failingSince } = endpoint;
    const held: Held = { lease: { clientId, endpointId: id, leaseToken }, until, turnedSlow: false };
    // Another process, or this one before a restart, saw it fail.
    if (failingSince !== null) slow.add(id);
    const isOver = slow.has(id) && countSlow() >= LEASES.slow;
    leases.add(held);
    if (isOver) {
      keepWorker(held, endLease(held));
      return;
    }
    slow.noteServed(id);
    const control: WorkerControl = {
      async mayBegin() {
        // A slow endpoint gives way to the other slow ones.
        if (isClosing || (held.turnedSlow && slow.isCrowded())) return false;
        // After a stall, the lease may have run out before its next extension.
        if (leases.has(held) && clock.now() >= held.until) await extend(held);
        return leases.has(held) && !isClosing;
      },
      maySettle: () => !isAbandoned,
      untilMoreDue: () => moreDue.promise,
      noteSpeed(isSlow) {
        held.turnedSlow = isSlow;
        if (isSlow) slow.add(id);
        else slow.delete(id);
      },
    };
    const onFaultHere = faultHandlerOf(held);
    const worked = workOnEndpoint({ ...work, onFault: onFaultHere }, { endpoint, lease: held.lease }, control);
    keepWorker(
      held,
      worked.then(() => endLease(held), onFaultHere),
    );
  }

  function faultHandlerOf({ lease: { endpointId } }: Held): (cause: unknown) => void {
    return (cause) =>
      onFault(new VerificationFault('Sending webhooks to an endpoint failed', { endpointId, cause }));
  }

  /** Counts a lease and its worker until the worker has ended. */
  function keepWorker(held: Held, ended: Promise<unknown>): void {
    const worker = ended.then(() => {
      leases.delete(held);
      workers.delete(worker);
    });
    workers.add(worker);
  }

  /** Ends a lease, unless `close` did. After a fault of the storage, it ends by itself. */
  async function endLease(held: Held): Promise<void> {
    if (leases.delete(held)) await webhooks.release(held.lease).catch(faultHandlerOf(held));
  }

  /** Extends all leases at once, so that none waits for a slow statement about another. */
  async function extendLeases(): Promise<void> {
    const extended = await Promise.allSettled([...leases].map(extend));
    const failed = extended.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  async function extend(held: Held): Promise<void> {
    const until = leaseEnd(clock.now());
    const { outcome } = await webhooks.extend(held.lease, until);
    if (outcome === 'lease_lost') leases.delete(held);
    else held.until = until;
  }

  async function run(): Promise<void> {
    let faults = 0;
    while (!isClosing) {
      try {
        const isBusy = await look();
        faults = 0;
        await alarm.wait(isBusy ? BUSY_MS : IDLE_MS);
      } catch (fault) {
        onFault(fault);
        faults += 1;
        await alarm.sleep(Math.min(SECOND_MS * 2 ** (faults - 1), LONGEST_PAUSE_MS));
      }
    }
  }

  const extending = repeat(extendLeases, EXTEND_EVERY_MS, onFault);
  const running = run();

  return {
    wake: alarm.ring,
    async close({ withinMs = CLOSE_MS } = {}) {
      isClosing = true;
      alarm.stop();
      moreDue.resolve();
      await running;
      await within(withinMs, Promise.all(workers));
      isAbandoned = true;
      await extending.stop();
      for (const held of leases) await endLease(held);
    },
  };
}

/** Ends a wait early. */
interface Alarm {
  /** Ends the wait in progress, or else the next one. */
  ring(): void;
  /** Ends every wait and sleep from now on. */
  stop(): void;
  wait(ms: number): Promise<void>;
  /** Waits without being rung. */
  sleep(ms: number): Promise<void>;
}

function createAlarm(): Alarm {
  let rung = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    stop: () => stopped.resolve(),
    async wait(ms) {
      await within(ms, Promise.race([rung.promise, stopped.promise]));
      rung = Promise.withResolvers<void>();
    },
    sleep: (ms) => within(ms, stopped.promise),
  };
}

/** Resolves when the promise does, or after a time. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const elapsed = Promise.withResolvers<void>();
  const timer = setTimeout(elapsed.resolve, ms);
  await Promise.race([promise, elapsed.promise]);
  clearTimeout(timer);
}

/** Runs work at an interval, one run at a time. */
function repeat(
  run: () => Promise<void>,
  everyMs: number,
  onFault: (fault: unknown) => void,
): { stop(): Promise<void> } {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= run()
      .catch(onFault)
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
