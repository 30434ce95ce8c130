import { DEFAULT_MAIL_LIMITS, type MailLimits } from '@countersign/domain/mail';
import type { z } from 'zod';
import { SettingError } from './errors.ts';
import { wholeNumber } from './parse-environment.ts';

const mails = (ofDefault: number): z.ZodType<number> => wholeNumber(1, 1_000_000).default(ofDefault);
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
  CLIENT_VERIFICATION_MAILS_PER_DAY: mails(verification.client),
  USER_MAILS_PER_HOUR: mails(user.recipient),
  CLIENT_USER_MAILS_PER_DAY: mails(user.client),
  TEAM_MAILS_PER_DAY: mails(team.recipient),
  CLIENT_TEAM_MAILS_PER_DAY: mails(team.client),
};

/**
 * Reads how many mails one address gets.
 * @throws SettingError if one client may use up what an address gets, and more
 */
export function mailLimits(values: Readonly<Record<Name, number>>): MailLimits {
  const limit = (client: Name, recipient: Name) => {
    if (values[client] > values[recipient])
      throw new SettingError(client, `is more than ${recipient}: expected at most ${values[recipient]}`);
    return { client: values[client], recipient: values[recipient] };
  };
  return {
    verification: limit('CLIENT_VERIFICATION_MAILS_PER_DAY', 'VERIFICATION_MAILS_PER_DAY'),
    user: limit('CLIENT_USER_MAILS_PER_DAY', 'USER_MAILS_PER_HOUR'),
    team: limit('CLIENT_TEAM_MAILS_PER_DAY', 'TEAM_MAILS_PER_DAY'),
  };
}
