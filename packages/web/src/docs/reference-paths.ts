import { DOCS_PATH } from '../site/paths.ts';

export const REFERENCE_PATH: string = `${DOCS_PATH}/reference`;

/** The pages of the reference beside those of operations, each of which has the id of its operation. */
export const WEBHOOKS = 'webhooks';
export const OBJECTS = 'objects';
export const HEADERS = 'headers';

/** Returns the path of a page of the reference. */
export function referencePath(page: string): string {
  return `${REFERENCE_PATH}/${page}`;
}
