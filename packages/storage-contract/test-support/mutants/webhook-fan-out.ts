import type { VerificationEvent } from '@countersign/domain';
import { isSent } from '@countersign/domain/webhooks';
import { fanOutAtOnceSuite, fanOutSuite } from '../../src/suites/fan-out.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  type Break,
  both,
  fail,
  keepsEvent,
  remembering,
  roundTrip,
  toSeconds,
  verifications,
  webhooks,
} from './patch.ts';
import { EARLY, everyEndpoint, knowsNoVersions, sharesResults, shows, wholeLog } from './webhook-state.ts';

const { add, fanOut } = webhooks;

/** Stores other times for events. */
const asIfAt = (time: (event: VerificationEvent) => Date): Break => keepsEvent((event) => ({ at: time(event) }));

export const fanOutMutants: readonly Mutant[] = mutantsOf(fanOutSuite, {
  'delivers events of every type': keepsEvent((event) =>
    isSent(event) ? {} : { type: 'verification.submitted' },
  ),
  'leaves out links that were renewed': keepsEvent(({ type }) =>
    type === 'verification.link_renewed' ? { type: 'verification.noted' } : {},
  ),
  'shows the type of the event': shows(({ type }) => ({
    type: type === 'verification.rejected' ? 'verification.approved' : type,
  })),
  'truncates times of events': asIfAt(({ at }) => toSeconds(at)),
  'counts attempts from 1': shows(({ attempts }) => ({ attempts: attempts + 1 })),
  'delivers silent events': keepsEvent(({ data: { silent: _, ...data } }) => ({ data })),
  'leaves out events that are not silent': keepsEvent(({ data }) =>
    'silent' in data ? { data: { ...data, silent: true } } : {},
  ),
  'fans out events twice': fanOut.override(async ({ next, storage }, request) => {
    for (const { clientId, id: endpointId } of await everyEndpoint(storage))
      await storage.webhooks.resend({ clientId, endpointId, which: { since: EARLY }, now: request.now });
    return next(request);
  }),
  'counts events again': remembering(() => {
    let last = 0;
    return fanOut.result((count) => {
      last = count === 0 ? last : count;
      return last;
    });
  }),
  'compares `since` by seconds': add.input(({ since }) => ({ since: toSeconds(since) })),
  'leaves events that no endpoint receives unsent': remembering(() => {
    let isLeft = false;
    return both(
      fanOut.override(async ({ next, storage }, request) => {
        const logs = async () =>
          (await Promise.all((await everyEndpoint(storage)).map((each) => wholeLog(storage, each)))).flat();
        const before = (await logs()).length;
        const count = await next(request);
        const isFound = isLeft && count === 0;
        isLeft = count > 0 && (await logs()).length === before;
        return isFound ? 1 : count;
      }),
    );
  }),
  'makes every delivery due with those that wait': remembering(() => {
    let latest = EARLY;
    return both(
      webhooks.settle.before((_lease, _delivery, result) => {
        if (result.settlement.state === 'waiting') latest = result.settlement.dueAt;
      }),
      fanOut.input(({ now }) => ({ now: new Date(Math.max(now.getTime(), latest.getTime())) })),
    );
  }),
});

export const fanOutAtOnceMutants: readonly Mutant[] = mutantsOf(fanOutAtOnceSuite, {
  'reads unsent events, then takes them': sharesResults(fanOut, roundTrip),
  'loses events of calls at once': remembering(() => {
    let busy = 0;
    return fanOut.override(async ({ next }, request) => {
      busy += 1;
      const isAlone = busy === 1;
      await roundTrip();
      const count = await next(request);
      busy -= 1;
      return isAlone ? count : 0;
    });
  }),
  'fans out later versions before earlier ones': knowsNoVersions,
  'misses events of changes during a call': remembering(() => {
    let busy = 0;
    return both(
      fanOut.override(async ({ next }, request) => {
        busy += 1;
        await roundTrip();
        busy -= 1;
        return next(request);
      }),
      verifications.commit.override(({ next }, change) => next(busy === 0 ? change : { ...change, events: [] })),
    );
  }),
  'fails when an endpoint is removed meanwhile': both(
    webhooks.remove.override(async ({ next }, ...input) => {
      await roundTrip();
      return next(...input);
    }),
    fanOut.override(async ({ next, storage }, request) => {
      const before = await everyEndpoint(storage);
      await roundTrip();
      await roundTrip();
      const left = await everyEndpoint(storage);
      return left.length < before.length ? fail('violates a foreign key') : next(request);
    }),
  ),
});
