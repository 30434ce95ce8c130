import type { Upload } from '../input/upload.ts';
import {
  type AppearanceInput,
  appearanceFields,
  appearanceIssues,
  type ClientAppearance,
} from '../subscription/client-appearance.ts';
import { type Action, defineAction } from './action.ts';
import { teamOf } from './caller.ts';
import type { Who } from './rights.ts';
import { clientRead, type OnClient, plainRead } from './targets.ts';

const OWNERS: readonly Who[] = [{ right: 'manage_face' }];

/** What the actions that change an appearance have in common. */
const APPEARANCE_CHANGE = { who: OWNERS, liveOnly: true, reauthenticate: true } as const;

/** Reads the appearance of the caller's client. */
export const getOwnAppearance: Action<object, ClientAppearance> = defineAction({
  id: 'face.get',
  needs: ['appearances'],
  who: OWNERS,
  liveOnly: true,
  ...plainRead,
  run: ({ appearances }, _input, caller) => appearances.get(teamOf(caller).clientId),
});

/** Reads the appearance of any client. */
export const getClientAppearance: Action<OnClient, ClientAppearance> = defineAction({
  id: 'clients.face',
  needs: ['appearances'],
  who: ['operator'],
  ...clientRead,
  run: ({ appearances }, { clientId }) => appearances.get(clientId),
});

/** Replaces the details of the caller's appearance. The audit log keeps which are set. */
export const changeAppearance: Action<AppearanceInput, ClientAppearance> = defineAction({
  id: 'face.change',
  needs: ['appearances'],
  ...APPEARANCE_CHANGE,
  fields: appearanceFields,
  check: appearanceIssues,
  audit: {
    detail: (input) => ({
      set: Object.entries(input)
        .filter(([, value]) => value !== undefined)
        .map(([key]) => key)
        .join(','),
    }),
  },
  run: ({ appearances }, input, caller) => appearances.change(teamOf(caller).clientId, input),
});

/** Replaces the logo of the caller's client by an upload. */
export const changeLogo: Action<{ readonly upload: Upload }, ClientAppearance> = defineAction({
  id: 'face.change_logo',
  needs: ['appearances'],
  ...APPEARANCE_CHANGE,
  fields: {},
  takesUpload: true,
  outcomes: [
    'FILE_EMPTY',
    'FILE_TOO_LARGE',
    'FILE_TYPE_REFUSED',
    'FILE_DAMAGED',
    'PICTURE_TOO_LARGE',
    'FILE_TOO_COMPLEX',
    'UPLOADS_PAUSED',
  ],
  run: ({ appearances }, { upload }, caller) => appearances.replaceLogo(teamOf(caller).clientId, upload),
});

/** Removes the logo of the caller's client. */
export const removeLogo: Action<object, ClientAppearance> = defineAction({
  id: 'face.remove_logo',
  needs: ['appearances'],
  ...APPEARANCE_CHANGE,
  fields: {},
  run: ({ appearances }, _input, caller) => appearances.removeLogo(teamOf(caller).clientId),
});
