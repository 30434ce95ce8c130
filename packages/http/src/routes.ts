import type { NeededPermission, Principal } from '@countersign/domain';
import { ApiError } from './api-error.ts';
import type { QueryParameters } from './query.ts';
import type { ApiRequest } from './request-context.ts';
import type { Answer } from './responses.ts';

/** What an operation is given, once the key, the rate limit and the permission were checked. */
export interface Call {
  readonly request: ApiRequest;
  readonly principal: Principal;
  /** The `{id}` of the path; empty where the path has none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string | number>>;
}

export interface Operation {
  readonly permission: NeededPermission;
  readonly parameters: QueryParameters;
  run(call: Call): Promise<Answer>;
}

/** A method that a route may answer. `HEAD` is answered as `GET`; the server leaves the body out. */
export type Method = 'GET' | 'POST';

/** An operation for everybody: it reads nothing of the request but its address. */
export type PublicOperation = (request: ApiRequest) => Answer;

type Operations<O> = Readonly<Partial<Record<Method, O>>>;

export interface KeyedRoute {
  readonly access: 'key';
  /** The path below the mount point as the interface writes it: `/verifications/{id}`. */
  readonly template: string;
  readonly operations: Operations<Operation>;
}

export interface PublicRoute {
  readonly access: 'public';
  readonly template: string;
  readonly operations: Operations<PublicOperation>;
}

export type Route = KeyedRoute | PublicRoute;

export interface RouteMatch<R extends Route = Route> {
  readonly route: R;
  /** The `{id}` as it stands in the path, not decoded. */
  readonly segment: string;
}

/**
 * Finds the route of a path below the mount point; null where there is none. A table of our own, because it serves
 * node:http too, and a path that is unknown must be answered after the key was checked, not before.
 */
export function createRouteFinder(routes: readonly Route[]): (path: string) => RouteMatch | null {
  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.template.replaceAll('.', '\\.').replace('{id}', '([^/]+)')}$`),
  }));
  return (path) => {
    for (const { route, pattern } of patterns) {
      const found = pattern.exec(path);
      if (found !== null) return { route, segment: found[1] ?? '' };
    }
    return null;
  };
}

/** @throws ApiError `METHOD_NOT_ALLOWED`, with `Allow` */
export function operationOf<O>(route: { readonly operations: Operations<O> }, method: string): O {
  const { operations } = route;
  const name = method === 'HEAD' ? 'GET' : method;
  const operation = Object.hasOwn(operations, name) ? operations[name as Method] : undefined;
  if (operation !== undefined) return operation;
  throw new ApiError('METHOD_NOT_ALLOWED', 'This method is not allowed here', { Allow: allowOf(operations) });
}

function allowOf(operations: Operations<unknown>): string {
  const methods = Object.keys(operations);
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}
