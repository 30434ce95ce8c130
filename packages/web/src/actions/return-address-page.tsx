import type { Issue } from '@countersign/domain';
import type { Client } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import type { FormValues } from '../forms/form-values.ts';
import type { Page } from '../site/page.ts';
import type { ActionPage } from './action-page.tsx';

interface ReturnAddresses {
  readonly returnAddresses: readonly string[];
}

/** Characters of a refused address that its message quotes. */
const QUOTED_MAX = 100;

/** The path of an entry of the list. */
const ENTRY = /^returnAddresses\.(\d+)$/;

/** What the pages for return addresses share: of the own client, and of any client. */
export const returnAddressForm: Pick<
  ActionPage<ReturnAddresses, Client, { readonly client: Client }>,
  'findings' | 'initial'
> = {
  initial: ({ client }) => ({ returnAddresses: [...client.returnAddresses] }),
  findings: quoteRefused,
};

/** Quotes the first refused address. Too many addresses keep the message of their issue. */
function quoteRefused(issues: readonly Issue[], values: FormValues, { t }: Page): ReadonlyMap<string, string> {
  const refused = issues.find(({ path }) => ENTRY.test(path));
  const index = ENTRY.exec(refused?.path ?? '')?.[1];
  if (refused === undefined || index === undefined) return new Map();
  const lines = values
    .text('returnAddresses')
    .split('\n')
    .map((line) => line.trim());
  const address = lines.filter((line) => line !== '')[Number(index)] ?? '';
  const quoted = address.length > QUOTED_MAX ? `${address.slice(0, QUOTED_MAX)}…` : address;
  const message = refused.code === 'local_address' ? 'actions:refusedLocalAddress' : 'actions:refusedAddress';
  return new Map([['returnAddresses', t(message, { address: quoted })]]);
}

/** Lists a client's return addresses, or says that there are none. */
export const ReturnAddressList: FC<{ client: Client; page: Page }> = ({
  client: { returnAddresses },
  page: { t },
}) =>
  returnAddresses.length === 0 ? (
    <p>{t('actions:noReturnAddresses')}</p>
  ) : (
    <ul>
      {returnAddresses.map((address) => (
        <li>
          <code>{address}</code>
        </li>
      ))}
    </ul>
  );
