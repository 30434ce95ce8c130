import type { As, Caller, Desks, StaffSession } from '@countersign/domain';
import type { Context } from 'hono';
import type { Site } from '../site/site.ts';

/** The request's caller, identified by its cookies, with everything that they may do. */
export interface Visitor {
  /** Null for anonymous visitors. */
  readonly session: StaffSession | null;
  readonly as: As;
  readonly desks: Desks;
}

/** Identifies who sent a request. */
export async function visitorDesks(
  context: Context,
  { options: { signIn, countersign, clientAddress } }: Site,
): Promise<Visitor> {
  const from = clientAddress(context);
  const session = await signIn.identify(context.req.header('Cookie'));
  const caller: Caller = session === null ? { kind: 'anonymous', from } : { kind: 'user', session, from };
  return { session, as: countersign.as(caller), desks: countersign.actingAs(caller) };
}
