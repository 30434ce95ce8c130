import {
  type ActionEntry,
  changeUserRole,
  disconnectProviders,
  inviteUser,
  removeUser,
  resetSecondFactor,
} from '@countersign/domain/actions';
import type { MessageKey } from '../../site/messages.ts';
import type { UserAction } from '../paths.ts';

/** An action of operators on the account of another user. */
interface OnUser {
  /** The last part of its path. */
  readonly name: UserAction;
  readonly action: ActionEntry;
  readonly label: MessageKey;
  /** Whether it takes something from the user. */
  readonly isDangerous?: true;
  /** What follows from it, unless the text of its page says so. */
  readonly text?: MessageKey;
}

/** What operators do with the accounts of others, the harmless first. */
export const ON_USER: readonly OnUser[] = [
  { name: 'role', action: changeUserRole, label: 'admin:user.changeRole' },
  { name: 'invitation', action: inviteUser, label: 'admin:user.newLink' },
  {
    name: 'second-factor',
    action: resetSecondFactor,
    label: 'admin:user.resetSecondFactor',
    isDangerous: true,
    text: 'admin:user.resetHint',
  },
  {
    name: 'identities',
    action: disconnectProviders,
    label: 'admin:user.disconnect',
    isDangerous: true,
    text: 'admin:user.disconnectHint',
  },
  {
    name: 'remove',
    action: removeUser,
    label: 'admin:user.remove',
    isDangerous: true,
  },
];
