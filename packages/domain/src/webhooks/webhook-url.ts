import { z } from 'zod';
import { type AddressProblem, isHostName, readWebAddress, refusedAddress } from '../input/web-address.ts';

/** Longest URL of an endpoint, in characters. */
export const WEBHOOK_URL_MAX = 2_048;

const BAD_HOST = 'must have a host name in ASCII or an IP address: write xn--… for other scripts';

/**
 * Parses the URL of an endpoint. It may name any host: the sender checks the address that it connects to.
 * @param options.allowsHttp whether `http://` is accepted too
 * @returns the URL with its origin in one spelling, or what is wrong with it
 *
 * @example
 * parseWebhookUrl('https://Shop.example:443/hooks', { allowsHttp: false }); // 'https://shop.example/hooks'
 */
export function parseWebhookUrl(
  text: string,
  { allowsHttp }: { readonly allowsHttp: boolean },
): string | AddressProblem {
  const address = readWebAddress(text.trim(), { max: WEBHOOK_URL_MAX, badHost: BAD_HOST });
  if ('message' in address) return address;
  const { scheme, host, origin, path, query } = address;
  if (!isHostName(host) && !isIpAddress(host)) return refusedAddress(BAD_HOST);
  if (scheme === 'http' && !allowsHttp) {
    return {
      message: 'must begin with https://: this installation sends no webhooks over http',
      code: 'not_a_url',
    };
  }
  return origin + path + (query === '' ? '' : `?${query}`);
}

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();

/** Whether a host is an IP address in its usual form: four decimal numbers, or IPv6 in brackets. */
function isIpAddress(host: string): boolean {
  return host.startsWith('[') ? ipv6.safeParse(host.slice(1, -1)).success : ipv4.safeParse(host).success;
}
