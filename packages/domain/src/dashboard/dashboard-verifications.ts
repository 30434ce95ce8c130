import type { ClientRepository } from '../subscription/client-repository.ts';
import type { CreateForRequester } from '../verification/create-verification.ts';
import { type Flows, findFlow, stepsOf } from '../verification/flow.ts';
import { fromRecord } from '../verification/from-record.ts';
import type { Links } from '../verification/link.ts';
import type { ManageVerification } from '../verification/manage-verification.ts';
import { unknownVerification } from '../verification/read-verifications.ts';
import { targetOf } from '../verification/status.ts';
import type { VerificationRecord } from '../verification/verification-record.ts';
import type { BrowseFilter, VerificationRepository } from '../verification/verification-repository.ts';
import { detailsOf } from '../verification/views.ts';
import { parseBrowseFilter, parseBrowseRequest, positionText } from './browse-request.ts';
import type { BrowsedVerification, DashboardVerifications, OpenedVerification } from './dashboard.ts';

/** Verifications on one page of the list, and in one read of an export. */
const PAGE = 25;
const EXPORT_PAGE = 500;

/** `DashboardVerifications`, where `open` is told whether its reader may see what the subject handed in, and the link. */
export type ClientVerifications = Omit<DashboardVerifications, 'open'> & {
  open(
    verificationId: string,
    options: { readonly withSubmittedData: boolean; readonly withLink: boolean },
  ): Promise<OpenedVerification>;
};

/** A client's verifications for one of its staff. Whether they may, and that they did, is looked after in actions/. */
export function createDashboardVerifications(
  ports: {
    verifications: VerificationRepository;
    flows: Flows;
    clients: Pick<ClientRepository, 'find'>;
    createFor: CreateForRequester;
    management: ManageVerification;
    links: Links;
  },
  { clientId, userId }: { readonly clientId: string; readonly userId: string },
): ClientVerifications {
  const { verifications, flows, clients, createFor, management, links } = ports;
  const actor = { kind: 'client', id: userId } as const;

  /** Reads the columns alone: a list never reads what the subject submitted. */
  function browsed(record: VerificationRecord): BrowsedVerification {
    const { id, type, subjectReference, status, requestedAt, submittedAt, resolvedAt, currentStep } = record;
    const flow = findFlow(flows, type, record.flowVersion);
    const totalSteps = flow === null ? currentStep : stepsOf(flow).length;
    return { id, type, subjectReference, status, requestedAt, submittedAt, resolvedAt, currentStep, totalSteps };
  }

  async function* rowsFrom(
    filter: BrowseFilter,
    first: readonly VerificationRecord[],
  ): AsyncGenerator<BrowsedVerification> {
    let records = first;
    while (true) {
      yield* records.map(browsed);
      const last = records.at(-1);
      if (last === undefined || records.length < EXPORT_PAGE) return;
      // To count all of them again for each page took most of the time of a large export.
      const next = { ...filter, after: last, limit: EXPORT_PAGE, withoutTotal: true };
      ({ records } = await verifications.browse(clientId, next));
    }
  }

  return {
    async browse(request) {
      const { filter, after } = parseBrowseRequest(request);
      // One more than is shown: whether there is a next page.
      const { records, totalCount } = await verifications.browse(clientId, { ...filter, after, limit: PAGE + 1 });
      const shown = records.slice(0, PAGE);
      const last = records.length > PAGE ? shown.at(-1) : undefined;
      return { items: shown.map(browsed), totalCount, next: last === undefined ? null : positionText(last) };
    },

    async open(verificationId, { withSubmittedData, withLink }) {
      const found = await verifications.findWithEvents(clientId, verificationId);
      if (found === null) throw unknownVerification();
      const verification = fromRecord(found.record, flows);
      const { flow, status, link } = verification;
      return {
        ...detailsOf(verification, found.events, links),
        ...(!withSubmittedData && { submittedData: null, documents: null }),
        ...(!withLink && { verificationUrl: null }),
        flow,
        linkExpiresAt: link.expiresAt,
        mayWithdraw: targetOf('withdraw', status) !== null,
        mayRenewLink: targetOf('renewLink', status) !== null,
      };
    },

    async create(input, { idempotencyKey } = {}) {
      const subscription = (await clients.find(clientId))?.subscription ?? null;
      const { verification } = await createFor({ clientId, subscription, actor }, input, idempotencyKey);
      return verification;
    },

    withdraw: (verificationId) => management.withdraw({ clientId, verificationId, actor }),
    renewLink: (verificationId) => management.renewLink({ clientId, verificationId, actor }),

    async export(request) {
      const filter = parseBrowseFilter(request);
      const first = await verifications.browse(clientId, { ...filter, after: undefined, limit: EXPORT_PAGE });
      return { totalCount: first.totalCount, rows: rowsFrom(filter, first.records) };
    },
  };
}
