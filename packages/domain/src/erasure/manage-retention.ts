import { CountersignError } from '../errors.ts';
import { type DataState, dataStateOf, type WithPause } from '../retention/data-state.ts';
import { parseRetentionPolicy, type RetentionFloor, type RetentionPolicy } from '../retention/policy.ts';
import type { Clock } from '../runtime.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import { refuseTestTwin } from '../subscription/test-twin.ts';
import type { ChangeVerification } from '../verification/change-verification.ts';
import { type HoldInput, hold, releaseHoldBy } from '../verification/hold.ts';
import type { ManagedVerification } from '../verification/manage-verification.ts';
import type { OpenRestrictedVerification } from '../verification/open-restricted.ts';
import { unknownVerification } from '../verification/read-verifications.ts';
import { type RulesOf, retainedOf } from '../verification/retained.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import type { VerificationDetails } from '../verification/views.ts';
import { type EndRelationship, parseRelationshipEnd } from './end-relationship.ts';
import type { EraseVerification } from './erase-verification.ts';
import { type ChangeRetained, releaseHold } from './moves.ts';
import { type RetentionSettings, rulesWith } from './retained-rules.ts';
import type { RetentionRepository, VerificationPlace } from './retention-repository.ts';

/** How long the data of a client is kept, and by which bounds. */
export interface ClientRetentionPolicy {
  readonly clientId: string;
  /** The policy that applies. */
  readonly policy: RetentionPolicy;
  /** Whether it is the client's own. Otherwise it is the installation's default. */
  readonly isOwn: boolean;
  readonly defaultPolicy: RetentionPolicy;
  /** The legal obligation, which no policy undercuts. */
  readonly floor: RetentionFloor;
  /** In which days begin and end. */
  readonly timeZone: string;
}

/**
 * Manages how long data is kept, for owners of a team and operators. Each change returns the state of the data now.
 * @throws CountersignError `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`, `EVENT_LIMIT_REACHED`, `VERSION_CONFLICT`
 */
export interface ManageRetention {
  /** Puts a verification on hold, as `hold`. @throws CountersignError `HELD_BY_OPERATOR` for the team, if an operator set the hold */
  hold(target: ManagedVerification, input: HoldInput): Promise<DataState>;
  /** Releases a hold. Without one it changes nothing. @throws CountersignError `HELD_BY_OPERATOR`, as `hold` */
  releaseHold(target: ManagedVerification): Promise<DataState>;
  /** Sets when the relationship ended, as `EndRelationship`. @throws CountersignError `INVALID_PARAMETERS` */
  endRelationship(target: ManagedVerification, endedAt: string | null): Promise<DataState>;
  /** Erases a verification on request, as `EraseVerification.request`. */
  erase(target: ManagedVerification, options: { readonly withdraw: boolean }): Promise<DataState>;
  /** Opens hidden data for a user who gives a reason, as `OpenRestrictedVerification`. */
  openRestricted(target: ManagedVerification, reason: string): Promise<VerificationDetails>;
  /** Reads the policy of a client. @throws CountersignError `CLIENT_NOT_FOUND` */
  policyOf(clientId: string): Promise<ClientRetentionPolicy>;
  /**
   * Replaces the policy of a client; null restores the installation's default. The job then reschedules its verifications.
   * @throws CountersignError `INVALID_PARAMETERS` for a period that is no duration or under the floor, and for a test twin, which has
   *   the policy of its client; `CLIENT_NOT_FOUND`
   */
  setPolicy(clientId: string, policy: RetentionPolicy | null): Promise<ClientRetentionPolicy>;
}

export function createManageRetention(
  ports: {
    retention: Pick<RetentionRepository, 'find' | 'ofClient' | 'setPolicy'>;
    verifications: Pick<VerificationRepository, 'find'>;
    clients: Pick<ClientRepository, 'find'>;
    clock: Clock;
    change: ChangeVerification;
    changeRetained: ChangeRetained;
    endRelationship: EndRelationship;
    request: EraseVerification['request'];
    openRestricted: OpenRestrictedVerification;
    rulesOf: RulesOf;
    withPause: WithPause;
  },
  settings: RetentionSettings,
): ManageRetention {
  const { retention, verifications, clients, clock, rulesOf, withPause } = ports;

  async function stateOf(place: VerificationPlace): Promise<DataState> {
    const verification = await retention.find(place);
    if (verification === null) throw unknownVerification();
    const now = clock.now();
    return withPause(dataStateOf(retainedOf(verification), await rulesOf(place.clientId), now), now);
  }

  async function policyOf(clientId: string): Promise<ClientRetentionPolicy> {
    const found = await retention.ofClient(clientId);
    if (found === null) throw new CountersignError('CLIENT_NOT_FOUND');
    const { policy, floor, timeZone } = rulesWith(settings, found.policy);
    return {
      clientId,
      policy,
      isOwn: found.policy !== null,
      defaultPolicy: settings.policy,
      floor,
      timeZone,
    };
  }

  return {
    async hold({ actor, ...place }, input) {
      await ports.change({
        find: () => verifications.find(place.clientId, place.verificationId),
        actor,
        decide: (current, now) => hold(current, input, { actor, now }),
      });
      return stateOf(place);
    },

    async releaseHold({ actor, ...place }) {
      // Operators release a hold also where the documents of the verification are damaged.
      if (actor.kind === 'operator') await ports.changeRetained(place, actor, releaseHold);
      else
        await ports.change({
          find: () => verifications.find(place.clientId, place.verificationId),
          actor,
          decide: (current, now) => releaseHoldBy(current, { actor, now }),
        });
      return stateOf(place);
    },

    async endRelationship({ actor, ...place }, endedAt) {
      return ports.endRelationship(place, actor, parseRelationshipEnd({ endedAt }, clock.now()));
    },

    erase: ({ actor, ...place }, { withdraw }) => ports.request(place, { actor, withdraw }),

    openRestricted: ({ actor, ...place }, reason) => ports.openRestricted(place, { reason, actor }),

    policyOf,

    async setPolicy(clientId, policy) {
      const parsed = policy === null ? null : parseRetentionPolicy(policy, settings.floor);
      const found = await clients.find(clientId);
      if (found !== null) refuseTestTwin(found.client, 'retention policy');
      const { outcome } = await retention.setPolicy(clientId, parsed);
      if (outcome === 'client_not_found') throw new CountersignError('CLIENT_NOT_FOUND');
      return policyOf(clientId);
    },
  };
}
