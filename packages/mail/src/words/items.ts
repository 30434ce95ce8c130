import type { Language, ReasonCode } from '@countersign/domain';
import type { StepKey } from '@countersign/domain/flows';
import de from '../locales/de/mails.json' with { type: 'json' };
import en from '../locales/en/mails.json' with { type: 'json' };

/** The names of steps and reasons, as on the pages of the hosted flow. */
interface Names {
  readonly step: Readonly<Record<StepKey, string>>;
  /** The reasons that a mail names. The others, such as a suspicion, are not for subjects. */
  readonly reason: typeof en.reason;
}

// A missing German text does not compile.
const NAMES: Readonly<Record<Language, Names>> = { en, de };

/** Writes a step to answer again, and why. */
export function itemInWords(
  { step, reasonCode }: { readonly step: StepKey; readonly reasonCode: ReasonCode },
  language: Language,
): string {
  const { step: steps, reason } = NAMES[language];
  const named: Readonly<Partial<Record<ReasonCode, string>>> = reason;
  return `${steps[step]}: ${named[reasonCode] ?? reason.other}`;
}
