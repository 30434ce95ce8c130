import type { StoragePart } from '@countersign/domain/storage';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { type Docs, errorOf, GUIDES_PATH, operationOf } from './docs.ts';
import type { GuideSlug } from './guide.ts';
import { referencePath } from './reference-paths.ts';

/** Links to an operation: `POST /verifications`. */
export const ToOperation: FC<{ docs: Docs; id: string }> = ({ docs, id }) => {
  const { method, path } = operationOf(docs, id);
  return (
    <a href={docs.href(referencePath(id))}>
      <code>
        {method} {path}
      </code>
    </a>
  );
};

/** Links to a code in the list of errors, with its status: `409 ILLEGAL_TRANSITION`. */
export const ToError: FC<{ docs: Docs; code: string }> = ({ docs, code }) => {
  const { status } = errorOf(docs, code);
  return (
    <a href={errorAddress(docs, code)}>
      <code>
        {status} {code}
      </code>
    </a>
  );
};

/** Returns the address of a code in the list of errors. */
export function errorAddress({ href }: Docs, code: string): string {
  return href(`${GUIDES_PATH}/errors#${code}`);
}

/** Links to a field in the reference: `Verification.status`. The link shows the last part. */
export const ToField: FC<{ docs: Docs; path: string }> = ({ docs, path }) => {
  const [component = '', ...fields] = path.split('.');
  return (
    <a href={docs.href([docs.components.addressOf(component), ...fields].join('.'))}>
      <code>{fields.at(-1)}</code>
    </a>
  );
};

/** Links to a guide, or to a section of it. */
export const ToGuide: FC<PropsWithChildren<{ docs: Docs; to: GuideSlug; section?: string }>> = (props) => {
  const { docs, to, section, children } = props;
  return <a href={docs.href(`${GUIDES_PATH}/${to}${section === undefined ? '' : `#${section}`}`)}>{children}</a>;
};

/** Shows what the storage of this service has a part for. */
export const WithPart: FC<PropsWithChildren<{ docs: Docs; part: StoragePart }>> = ({ docs, part, children }) =>
  docs.parts.has(part) ? <>{children}</> : null;
