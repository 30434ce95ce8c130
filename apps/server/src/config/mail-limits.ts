import { DEFAULT_MAIL_LIMITS, type MailLimits } from '@countersign/domain/mail';
import type { z } from 'zod';
import { SettingError } from './errors.ts';
import { wholeNumber } from './parse-environment.ts';

/** At least two for an address: one client has less. */
const mails = (ofDefault: number, from = 2): z.ZodType<number> => wholeNumber(from, 1_000_000).default(ofDefault);
const mailsOfClient = (ofDefault: number): z.ZodType<number> => mails(ofDefault, 1);
const { verification, user, team } = DEFAULT_MAIL_LIMITS;

type Name =
  | 'VERIFICATION_MAILS_PER_DAY'
  | 'CLIENT_VERIFICATION_MAILS_PER_DAY'
  | 'USER_MAILS_PER_HOUR'
  | 'CLIENT_USER_MAILS_PER_DAY'
  | 'TEAM_MAILS_PER_DAY'
  | 'CLIENT_TEAM_MAILS_PER_DAY';

/** The schema of the variables that limit the mails to one address. */
export const mailLimitVariables: Readonly<Record<Name, z.ZodType<number>>> = {
  VERIFICATION_MAILS_PER_DAY: mails(verification.recipient),
  CLIENT_VERIFICATION_MAILS_PER_DAY: mailsOfClient(verification.client),
  USER_MAILS_PER_HOUR: mails(user.recipient),
  CLIENT_USER_MAILS_PER_DAY: mailsOfClient(user.client),
  TEAM_MAILS_PER_DAY: mails(team.recipient),
  CLIENT_TEAM_MAILS_PER_DAY: mailsOfClient(team.client),
};

/**
 * Reads how many mails one address gets.
 * @throws SettingError if the limit of one client is not lower than that of an address
 */
export function mailLimits(values: Readonly<Record<Name, number>>): MailLimits {
  const limit = (client: Name, recipient: Name) => {
    if (values[client] >= values[recipient])
      throw new SettingError(client, `is not less than ${recipient}: expected at most ${values[recipient] - 1}`);
    return { client: values[client], recipient: values[recipient] };
  };
  return {
    verification: limit('CLIENT_VERIFICATION_MAILS_PER_DAY', 'VERIFICATION_MAILS_PER_DAY'),
    user: limit('CLIENT_USER_MAILS_PER_DAY', 'USER_MAILS_PER_HOUR'),
    team: limit('CLIENT_TEAM_MAILS_PER_DAY', 'TEAM_MAILS_PER_DAY'),
  };
}
