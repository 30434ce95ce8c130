import type { As, Caller, StaffSession } from '@countersign/domain';
import type { Context } from 'hono';
import type { Site } from '../site/site.ts';

/** Who sent a request. */
export interface StaffVisitor {
  /** Null for anonymous visitors. */
  readonly session: StaffSession | null;
  /** Runs actions as the visitor. */
  readonly as: As;
}

/** Identifies who sent a request by its cookies. */
export async function visitorOf(
  context: Context,
  { options: { signIn, countersign, clientAddress } }: Site,
): Promise<StaffVisitor> {
  const from = clientAddress(context);
  const session = await signIn.identify(context.req.header('Cookie'));
  const caller: Caller = session === null ? { kind: 'anonymous', from } : { kind: 'user', session, from };
  return { session, as: countersign.as(caller) };
}
