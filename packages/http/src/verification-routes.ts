import type { Countersign, ListQuery } from '@countersign/domain';
import { readJsonObject } from './body.ts';
import type { QueryParameters } from './query.ts';
import { success } from './responses.ts';
import type { KeyedRoute, Operation } from './routes.ts';

/** The query parameters of a list (interface, GET /verifications). */
export const LIST_PARAMETERS: QueryParameters & Readonly<Record<keyof ListQuery, 'text' | 'integer'>> = {
  page: 'integer',
  limit: 'integer',
  status: 'text',
  type: 'text',
  subjectReference: 'text',
  sortBy: 'text',
  sortOrder: 'text',
};

/** The endpoints of the interface, those most used first: they are searched in this order. */
export function createVerificationRoutes({ verifications }: Pick<Countersign, 'verifications'>): KeyedRoute[] {
  const create: Operation = {
    permission: 'verifications:create',
    parameters: {},
    async run({ request, principal }) {
      const input = await readJsonObject(request);
      const idempotencyKey = request.header('idempotency-key');
      const { verification, replayed } = await verifications.create(principal, input, { idempotencyKey });
      return success(201, verification, {
        message: 'Verification created',
        headers: {
          // Relative to the address of the request (RFC 9110, section 10.2.2): right behind any proxy.
          Location: `verifications/${verification.id}`,
          ...(replayed ? { 'Idempotent-Replayed': 'true' } : {}),
        },
      });
    },
  };

  const list: Operation = {
    permission: 'verifications:read',
    parameters: LIST_PARAMETERS,
    // Names and types of the parameters are checked here, their values in the domain.
    run: async ({ principal, query }) => success(200, await verifications.list(principal, query)),
  };

  const get: Operation = {
    permission: 'verifications:read',
    parameters: {},
    run: async ({ principal, id }) => success(200, await verifications.get(principal, id)),
  };

  const details: Operation = {
    permission: 'verifications:read',
    parameters: {},
    run: async ({ principal, id }) => success(200, await verifications.details(principal, id)),
  };

  return [
    { access: 'key', template: '/verifications/{id}', operations: { GET: get } },
    { access: 'key', template: '/verifications', operations: { GET: list, POST: create } },
    { access: 'key', template: '/verifications/{id}/details', operations: { GET: details } },
  ];
}
