import type { Issue } from '@countersign/domain';
import type { Client } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import type { FormValues } from '../forms/form-values.ts';
import type { Page } from '../site/page.ts';
import type { ActionPage } from './action-page.tsx';
import { quoted, type RefusedEntry, refusedEntries } from './refused-entries.ts';

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

/** Quotes all refused addresses. Too many addresses keep the message of their issue. */
function quoteRefused(issues: readonly Issue[], values: FormValues, page: Page): ReadonlyMap<string, string> {
  const refused = refusedEntries('returnAddresses', issues, values);
  const local = refused.filter(({ code }) => code === 'local_address');
  const others = refused.filter(({ code }) => code !== 'local_address');
  const messages = [
    ...(others.length === 0 ? [] : [page.t('actions:refusedAddress', namesOf(others, page))]),
    ...(local.length === 0 ? [] : [page.t('actions:refusedLocalAddress', namesOf(local, page))]),
  ];
  return new Map(messages.length === 0 ? [] : [['returnAddresses', messages.join('. ')]]);
}

function namesOf(
  refused: readonly RefusedEntry[],
  page: Page,
): { readonly count: number; readonly addresses: string } {
  return { count: refused.length, addresses: quoted(refused, page) };
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
