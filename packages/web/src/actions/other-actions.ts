import type { Action, ActionEntry } from '@countersign/domain';
import { hasMessage } from '../site/messages.ts';
import type { Site } from '../site/site.ts';

/** An action whose page is drawn from its entry and texts alone. */
export interface OtherAction {
  readonly action: Action<never, unknown>;
  /** Path below the area: `/actions/clients/rename/:clientId`. */
  readonly path: string;
  /** Whether the page is about nothing else, so that a menu can lead to it. */
  readonly isInMenu: boolean;
}

const OPERATOR: ActionEntry['who'][number] = 'operator';

/**
 * Returns the actions of operators alone that have texts for a page (`actions:{id}.title`) and no page of their own. Call it after all pages of the site are
 * mounted.
 */
export function otherActions({ options, actionPages }: Site): readonly OtherAction[] {
  return options.actions
    .filter(
      ({ who }) => who.includes(OPERATOR) && who.every((each) => each === OPERATOR || each === 'command_line'),
    )
    .filter(({ id }) => !actionPages.has(id) && hasMessage(`actions:${id}.title`))
    .map((entry) => {
      const pageFields = Object.keys(entry.fields).filter((key) => entry.fields[key]?.by === 'page');
      // The catalogue lists actions as entries, without the types of input and result.
      return {
        action: entry as Action<never, unknown>,
        path: pathOf(entry, pageFields),
        isInMenu: pageFields.length === 0,
      };
    });
}

function pathOf({ id }: ActionEntry, pageFields: readonly string[]): string {
  return ['/actions', ...id.split('.'), ...pageFields.map((key) => `:${key}`)].join('/');
}
