import { requirePermission } from '../access/api-key.ts';
import type { Principal } from '../access/authenticate.ts';
import { CountersignError, invalidParameters, isCountersignError } from '../errors.ts';
import { NO_RETENTION_FACTS } from '../retention/retention-facts.ts';
import type { ClientMode } from '../subscription/client-mode.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import type { ReadFlowRules } from '../subscription/flow-rules.ts';
import { allowanceNow, monthOf } from '../subscription/monthly-limit.ts';
import { parseReturnUrl } from '../subscription/return-address.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { BasePorts } from './base-ports.ts';
import { type Actor, eventOf } from './events.ts';
import { currentFlow } from './flow.ts';
import { fromRecord } from './from-record.ts';
import { issueLink } from './link.ts';
import { namesSandboxOutcome, readSandboxOutcome } from './metadata.ts';
import { type NewVerification, parseNewVerification } from './new-verification.ts';
import { markOf, type RequestMark } from './request-mark.ts';
import { mailsAfter } from './subject-mails.ts';
import type { PendingVerification } from './verification.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';
import { type CreatedVerification, createdView } from './views.ts';

/** The result of a creation. */
export interface Creation {
  readonly verification: CreatedVerification;
  /** Whether an earlier request with the same `Idempotency-Key` created it; nothing was counted then. */
  readonly replayed: boolean;
  /** Whether `metadata.sandboxOutcome` has no effect, because the verification is of live mode. */
  readonly sandboxOutcomeIgnored: boolean;
}

/** The client that a verification is created for, its subscription, and the caller: an API key or a user of its team. */
export interface Requester {
  readonly clientId: string;
  readonly subscription: Subscription | null;
  /** In test mode, no subscription is needed and no monthly limit holds. */
  readonly mode: ClientMode;
  /** `FlowSettings.linkDays` of the client. In test mode, the setting is read from the client whose test twin it is. */
  readonly linkDays: number | null;
  readonly actor: Actor & { readonly kind: 'api_key' | 'team_member' };
}

/**
 * Creates a verification of a client and charges it to the month. The caller's right to create is checked before.
 * @throws `INVALID_SUBJECT_TYPE`, `MISSING_SUBJECT_REFERENCE`, `INVALID_PARAMETERS`, `IDEMPOTENCY_KEY_REUSED`,
 * `NO_ACTIVE_SUBSCRIPTION`, `DUPLICATE_SUBJECT_REFERENCE`, `LIMIT_EXCEEDED`, the first of them that holds
 */
export type CreateForRequester = (
  requester: Requester,
  input: unknown,
  idempotencyKey: string | undefined,
) => Promise<Creation>;

export function createForRequesterUseCase(
  ports: Pick<BasePorts, 'clock' | 'flows' | 'ids' | 'links' | 'secrets' | 'verifications'> & {
    clients: Pick<ClientRepository, 'find'>;
    readFlowRules: ReadFlowRules;
  },
  settings: { linkLifetimeDays: number; sendsMail: boolean; flowVersion: number | undefined },
): CreateForRequester {
  const { verifications, flows, clients, readFlowRules, clock, ids, secrets, links } = ports;

  /** Returns the first verification again if the key came with the same request. */
  function replay(record: VerificationRecord, mark: RequestMark | null): StoredCreation {
    if (mark?.isOf(record.idempotencyFingerprint) !== true) {
      throw new CountersignError('IDEMPOTENCY_KEY_REUSED');
    }
    return { verification: createdView(fromRecord(record, flows), links), replayed: true };
  }

  /** Checks the fields whose rule depends on the client or the service. Only a `returnUrl` reads the client, and few requests have one. */
  async function checkedFields(
    { clientId, mode }: Requester,
    { metadata, returnUrl, notify }: NewVerification,
  ): Promise<CheckedFields> {
    if (notify !== undefined && !settings.sendsMail) return { refusal: sendsNoMail() };
    const found = returnUrl === undefined ? null : await clients.find(clientId);
    try {
      return {
        refusal: null,
        returnUrl: returnUrl === undefined ? null : parseReturnUrl(returnUrl, found?.client.returnAddresses ?? []),
        sandboxOutcome: readSandboxOutcome(metadata, mode),
      };
    } catch (error) {
      if (!isCountersignError(error)) throw error;
      return { refusal: error };
    }
  }

  /** A key brings the setting of its client, so that a creation in live mode reads nothing more. */
  async function lifetimeOfLink({ clientId, mode, linkDays }: Requester): Promise<number> {
    if (mode === 'live') return linkDays ?? settings.linkLifetimeDays;
    return (await readFlowRules(clientId)).linkDays;
  }

  async function create(
    requester: Requester,
    request: NewVerification,
    idempotencyKey: string | undefined,
  ): Promise<StoredCreation> {
    const { clientId, actor } = requester;
    const mark = idempotencyKey === undefined ? null : markOf(clientId, idempotencyKey, request, secrets);
    const earlier = async () => (mark === null ? null : verifications.findByIdempotencyKey(clientId, mark.key));
    const checked = await checkedFields(requester, request);
    if (checked.refusal !== null) {
      // The client's list, or whether the service sends mail, may have changed since the first request.
      const first = await earlier();
      if (first !== null && mark?.isOf(first.idempotencyFingerprint) === true) return replay(first, mark);
      throw checked.refusal;
    }
    const { returnUrl, sandboxOutcome } = checked;
    const now = clock.now();

    const allowance = allowanceNow(requester, now);
    if (allowance === null) {
      const first = await earlier();
      if (first !== null) return replay(first, mark);
      throw new CountersignError('NO_ACTIVE_SUBSCRIPTION');
    }

    const lifetimeDays = await lifetimeOfLink(requester);
    const verification: PendingVerification = {
      id: ids.next(),
      clientId,
      type: request.subjectType,
      flow: currentFlow(request.subjectType, flows, settings.flowVersion),
      subjectReference: request.subjectReference,
      metadata: request.metadata,
      idempotency: mark && { key: mark.key, fingerprint: mark.fingerprint },
      notify: request.notify ?? null,
      sandboxOutcome,
      returnUrl,
      locale: request.locale ?? null,
      status: 'pending',
      requestedAt: now,
      version: 1,
      eventCount: 1,
      link: issueLink(1, now, lifetimeDays),
      submittedAt: null,
      steps: {},
      drafts: {},
      earlierAnswers: [],
      files: [],
      internalNotes: [],
      hold: null,
      openings: [],
      stepBeforeErasure: null,
      ...NO_RETENTION_FACTS,
    };
    const event = eventOf(
      verification,
      { type: 'verification.created', data: { type: verification.type } },
      { id: ids.next(), at: now, actor },
    );
    const result = await verifications.createCharged({
      record: toRecord(verification),
      event,
      month: monthOf(now),
      allowance,
      mails: mailsAfter(event, verification, settings),
    });
    switch (result.outcome) {
      case 'created':
        return { verification: createdView(verification, links), replayed: false };
      case 'key_used':
        return replay(result.record, mark);
      case 'duplicate': {
        const { verificationId, status } = result;
        throw new CountersignError('DUPLICATE_SUBJECT_REFERENCE', undefined, { data: { verificationId, status } });
      }
      case 'limit_reached':
        throw new CountersignError('LIMIT_EXCEEDED');
      default:
        return result satisfies never;
    }
  }

  return async (requester, input, idempotencyKey) => {
    const request = parseNewVerification(input);
    const sandboxOutcomeIgnored = requester.mode === 'live' && namesSandboxOutcome(request.metadata);
    return { ...(await create(requester, request, idempotencyKey)), sandboxOutcomeIgnored };
  };
}

/**
 * Creates a verification for a subject (interface, POST /verifications). Checks in the order of DESIGN section 2:
 * permission, body, replay, subscription, duplicate, monthly limit. Only a new verification counts.
 * @throws `INSUFFICIENT_PERMISSIONS`, `INVALID_SUBJECT_TYPE`, `MISSING_SUBJECT_REFERENCE`, `INVALID_PARAMETERS`,
 * `IDEMPOTENCY_KEY_REUSED`, `NO_ACTIVE_SUBSCRIPTION`, `DUPLICATE_SUBJECT_REFERENCE`, `LIMIT_EXCEEDED`
 */
export type CreateVerification = (
  principal: Principal,
  input: unknown,
  options?: { readonly idempotencyKey?: string | undefined },
) => Promise<Creation>;

export function createVerificationUseCase(createFor: CreateForRequester): CreateVerification {
  return async (
    { permissions, clientId, subscription, mode, linkDays, keyId },
    input,
    { idempotencyKey } = {},
  ) => {
    requirePermission(permissions, 'verifications:create');
    const actor = { kind: 'api_key', id: keyId } as const;
    return createFor({ clientId, subscription, mode, linkDays, actor }, input, idempotencyKey);
  };
}

/** What the storage decides of a creation. */
type StoredCreation = Pick<Creation, 'verification' | 'replayed'>;

/** The checked fields, or why they are refused. */
type CheckedFields =
  | ({ readonly refusal: null } & Pick<PendingVerification, 'returnUrl' | 'sandboxOutcome'>)
  | { readonly refusal: CountersignError };

function sendsNoMail(): CountersignError {
  return invalidParameters([{ path: 'notify', message: 'cannot be used, because this service sends no e-mail' }]);
}
