import { renewVerificationLink, type VerificationView, withdrawVerification } from '@countersign/domain';
import type { Command } from 'commander';
import { type OpenAdministration, openVerificationAdministration } from '../composition/administration.ts';
import { readLinkSettings } from '../config/environment.ts';
import type { CommandContext } from './command-context.ts';

/** `verification renew-link` and `verification withdraw`. */
export function addVerificationCommands(program: Command, context: CommandContext): void {
  const verification = program.command('verification').description('single verifications');

  verification
    .command('renew-link')
    .description('give the subject a new link, for instance because theirs has expired; the one before ends')
    .argument('<id>', 'the id of the verification')
    .action((id: string) =>
      manage(context, async (administration) => {
        const view = await administration.run(renewVerificationLink, { verificationId: id });
        context.answer(answerOf(view), view.verificationUrl);
      }),
    );

  verification
    .command('withdraw')
    .description('take a verification back while the subject has it: it ends as rejected, for good')
    .argument('<id>', 'the id of the verification')
    .action((id: string) =>
      manage(context, async (administration) => {
        const view = await administration.run(withdrawVerification, { verificationId: id });
        context.answer(answerOf(view), `Verification ${id} is withdrawn`);
      }),
    );
}

/** Without what the subject has answered: an operator needs none of it. */
function answerOf({ id, type, subjectReference, status, resolvedAt, verificationUrl }: VerificationView): object {
  return { id, type, subjectReference, status, resolvedAt, verificationUrl };
}

async function manage(
  { environment }: CommandContext,
  work: (administration: OpenAdministration) => Promise<void>,
): Promise<void> {
  const administration = await openVerificationAdministration(readLinkSettings(environment));
  try {
    await work(administration);
  } finally {
    await administration.close();
  }
}
