import type { Countersign } from '@countersign/domain';
import { ALL_ASKED } from '@countersign/domain/flows';

/** Turns every switch of a client on, as for clients that are older than the switches. New clients have them off. */
export async function askAll(
  { flowSettings }: Pick<Countersign, 'flowSettings'>,
  clientId: string,
): Promise<void> {
  await flowSettings.change(clientId, {
    ...ALL_ASKED,
    readingIsAdvice: false,
    familyNameIndex: false,
    warningsInDetails: false,
  });
}
