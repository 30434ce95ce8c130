import type { Flows } from '@countersign/domain/flows';
import { BUILT_IN_FLOWS } from '@countersign/domain/flows';

/** The flows of this installation, for its settings, the core and `doctor`. */
export const FLOWS: Flows = BUILT_IN_FLOWS;
