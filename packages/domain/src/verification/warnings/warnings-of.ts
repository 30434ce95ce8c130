import type { Verification } from '../verification.ts';
import { countryWarnings, expiryWarnings } from './document-warnings.ts';
import { numberWarnings } from './number-warnings.ts';
import { ageWarnings, dateWarnings, nameWarnings } from './person-warnings.ts';
import { pictureWarnings } from './picture-warnings.ts';
import type { ReviewWarning, WarningContext } from './review-warning.ts';

/** All that a reviewer is warned of, by the answers that stand and the earlier ones. */
export function warningsOf(verification: Verification, context: WarningContext): readonly ReviewWarning[] {
  return [
    ...ageWarnings(verification, context),
    ...nameWarnings(verification),
    ...dateWarnings(verification),
    ...expiryWarnings(verification, context),
    ...countryWarnings(verification),
    ...numberWarnings(verification, context),
    ...pictureWarnings(verification),
  ];
}
