import type { Desks, StaffSession } from '@countersign/domain';
import type { Context } from 'hono';
import type { Site } from '../site/site.ts';

/** Whoever asks, by their cookies, and what they may do; nobody may do nothing. */
export async function visitorDesks(
  context: Context,
  { options: { signIn, countersign, clientAddress } }: Site,
): Promise<{ readonly session: StaffSession | null; readonly desks: Desks }> {
  const from = clientAddress(context);
  const session = await signIn.identify(context.req.header('Cookie'));
  const desks = countersign.actingAs(
    session === null ? { kind: 'nobody', from } : { kind: 'staff', session, from },
  );
  return { session, desks };
}
