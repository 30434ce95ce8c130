import type { VerificationView } from '@countersign/domain';
import {
  declineExport,
  endVerificationRelationship,
  eraseVerificationData,
  holdVerification,
  releaseExport,
  releaseVerificationHold,
  renewVerificationLink,
  withdrawVerification,
} from '@countersign/domain/actions';
import type { DataState } from '@countersign/domain/retention';
import { type OpenAdministration, openVerificationAdministration } from '../composition/administration.ts';
import { readLinkSettings } from '../config/environment.ts';
import type { Environment } from '../config/parse-environment.ts';
import type { ActionCommands, Printed } from './action-command.ts';
import { moment, orWord } from './option-values.ts';

/** Adds `verification renew-link`, `withdraw`, `hold`, `release-hold`, `end-relationship`, `erase`, `export` and `decline-export`. */
export function addVerificationCommands({ add }: ActionCommands): void {
  add({
    name: 'verification renew-link',
    description: 'give the subject a new link, for instance because theirs has expired; the earlier one ends',
    action: renewVerificationLink,
    open,
    print: (view) => ({ json: viewOf(view), text: view.verificationUrl }),
  });

  add({
    name: 'verification withdraw',
    description: 'withdraw a verification that the subject has not submitted; it ends as rejected, for good',
    action: withdrawVerification,
    open,
    print: (view) => ({ json: viewOf(view), text: `Verification ${view.id} is withdrawn` }),
  });

  add({
    name: 'verification hold',
    description: 'put a verification on hold: it is not erased before the hold ends or is released',
    action: holdVerification,
    open,
    options: {
      reason: { help: 'why the data must not be erased; kept with the verification' },
      until: { help: 'when the hold ends by itself; default never' },
    },
    print: (data, { verificationId }) => printData(verificationId, data),
  });

  add({
    name: 'verification release-hold',
    description: 'release the hold of a verification',
    action: releaseVerificationHold,
    open,
    print: (data, { verificationId }) => printData(verificationId, data),
  });

  add({
    name: 'verification end-relationship',
    description: "set when the client's relationship with the subject ended: the period of its data begins then",
    action: endVerificationRelationship,
    open,
    options: {
      endedAt: {
        help: 'a time such as 2027-01-31T00:00:00Z; a date is its midnight in UTC; or "never" to take it back',
        parse: orWord('never', moment),
        isOptional: false,
      },
    },
    input: ({ endedAt, ...given }) => ({
      ...given,
      ...(endedAt instanceof Date && { endedAt: endedAt.toISOString() }),
    }),
    print: (data, { verificationId }) => printData(verificationId, data),
  });

  add({
    name: 'verification erase',
    description: 'erase the data of a verification for good, or hide it until the law and its hold allow that',
    action: eraseVerificationData,
    open,
    options: { withdraw: { help: 'withdraw the verification first if the subject still has to work on it' } },
    confirm: 'The data of this verification will be erased. This cannot be undone.',
    print: (data, { verificationId }) => printData(verificationId, data),
  });

  add({
    name: 'verification export',
    description:
      "release a copy of the person's data: prints a link and a code, once; hand them over in two different ways",
    action: releaseExport,
    open,
    print: ({ link, code, expiresAt }) => ({
      json: { link, code, expiresAt },
      text: `${link}\nCode: ${code}\nBoth work until ${expiresAt.toISOString()}`,
    }),
  });

  add({
    name: 'verification decline-export',
    description: "decline the person's request for a copy of their data; they see the reason on the hosted page",
    action: declineExport,
    open,
    options: { declineReason: { name: 'reason', help: 'why, for the person to see' } },
    print: ({ verificationId, declinedAt, declineReason }) => ({
      json: { id: verificationId, declinedAt, reason: declineReason },
      text: `Verification ${verificationId}: the request for a copy is declined (${declineReason})`,
    }),
  });
}

function printData(id: string, { state, until }: DataState): Printed {
  return { json: { id, state, until }, text: `Verification ${id}: ${stateText(state, until)}` };
}

function stateText(state: DataState['state'], until: Date | null): string {
  const end = until === null ? '' : ` until ${until.toISOString()}`;
  switch (state) {
    case 'erased':
      return 'its data is erased';
    case 'held':
      return `its data is on hold${end}`;
    case 'restricted':
      return `its data is hidden, and kept${end}`;
    case 'kept':
      return `its data is kept${end}`;
    default:
      return state satisfies never;
  }
}

/** Leaves out what the subject submitted: operators do not need it. */
function viewOf({ id, type, subjectReference, status, resolvedAt, verificationUrl }: VerificationView): object {
  return { id, type, subjectReference, status, resolvedAt, verificationUrl };
}

function open(environment: Environment): Promise<OpenAdministration> {
  return openVerificationAdministration(readLinkSettings(environment));
}
