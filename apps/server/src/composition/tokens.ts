import type { RequestListener } from 'node:http';
import type {
  Clock,
  Countersign,
  CountersignSettings,
  Ids,
  RateLimiter,
  Secrets,
  Storage,
} from '@countersign/domain';
import type { ApiListener } from '@countersign/http';
import type { Hono } from 'hono';
import type { InjectionToken } from 'tsyringe';
import type { Log } from '../logging/log.ts';
import type { PeerAddress } from '../serve/peer-address.ts';
import type { SiteEnv, SiteOptions } from '../serve/site.ts';
import { token } from './token.ts';

/** Everything a container can give, by name. The last five are known to a server's only. */
interface Contents {
  readonly storage: Storage;
  readonly secretKeys: readonly Uint8Array[];
  readonly settings: CountersignSettings;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  readonly rateLimiter: RateLimiter;
  readonly countersign: Countersign;
  readonly peerAddress: PeerAddress;
  readonly api: ApiListener;
  readonly pages: SiteOptions['pages'];
  readonly site: Hono<SiteEnv>;
  readonly listener: RequestListener;
}

export const tokens: { readonly [Name in keyof Contents]: InjectionToken<Contents[Name]> } = {
  storage: token('storage'),
  secretKeys: token('secret keys'),
  settings: token('settings'),
  log: token('log'),
  clock: token('clock'),
  ids: token('ids'),
  secrets: token('secrets'),
  rateLimiter: token('rate limiter'),
  countersign: token('countersign'),
  peerAddress: token('peer address'),
  api: token('api'),
  pages: token('pages'),
  site: token('site'),
  listener: token('request listener'),
};
