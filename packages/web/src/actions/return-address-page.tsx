import type { Issue } from '@countersign/domain';
import type { Client } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import type { FormValues } from '../forms/form-values.ts';
import type { Page } from '../site/page.ts';
import type { ActionPage } from './action-page.tsx';
import { refusedEntry } from './refused-entry.ts';

interface ReturnAddresses {
  readonly returnAddresses: readonly string[];
}

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
  const refused = refusedEntry('returnAddresses', issues, values);
  if (refused === null) return new Map();
  const message = refused.code === 'local_address' ? 'actions:refusedLocalAddress' : 'actions:refusedAddress';
  return new Map([['returnAddresses', t(message, { address: refused.entry })]]);
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
