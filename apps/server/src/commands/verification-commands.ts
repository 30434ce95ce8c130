import { renewVerificationLink, type VerificationView, withdrawVerification } from '@countersign/domain';
import { type OpenAdministration, openVerificationAdministration } from '../composition/administration.ts';
import { readLinkSettings } from '../config/environment.ts';
import type { Environment } from '../config/parse-environment.ts';
import type { ActionCommands } from './action-command.ts';

/** Adds `verification renew-link` and `verification withdraw`. */
export function addVerificationCommands({ add }: ActionCommands): void {
  add({
    name: 'verification renew-link',
    description: 'give the subject a new link, for instance because theirs has expired; the earlier one ends',
    action: renewVerificationLink,
    open,
    positional: ['verificationId'],
    print: (view) => ({ json: viewOf(view), text: view.verificationUrl }),
  });

  add({
    name: 'verification withdraw',
    description: 'withdraw a verification that the subject has not submitted; it ends as rejected, for good',
    action: withdrawVerification,
    open,
    positional: ['verificationId'],
    print: (view) => ({ json: viewOf(view), text: `Verification ${view.id} is withdrawn` }),
  });
}

/** Leaves out what the subject submitted: operators do not need it. */
function viewOf({ id, type, subjectReference, status, resolvedAt, verificationUrl }: VerificationView): object {
  return { id, type, subjectReference, status, resolvedAt, verificationUrl };
}

function open(environment: Environment): Promise<OpenAdministration> {
  return openVerificationAdministration(readLinkSettings(environment));
}
