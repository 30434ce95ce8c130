import type { Upload } from '../input/upload.ts';
import { type ClientFace, type FaceInput, faceFields, faceIssues } from '../subscription/client-face.ts';
import { type Action, defineAction } from './action.ts';
import { teamOf } from './caller.ts';
import type { Who } from './rights.ts';

const OWNERS: readonly Who[] = [{ right: 'manage_face' }];

/** Reads the face of the caller's client. */
export const getOwnFace: Action<object, ClientFace> = defineAction({
  id: 'face.get',
  who: OWNERS,
  liveOnly: true,
  fields: {},
  audit: { log: 'refusals' },
  outcomes: [],
  run: ({ faces }, _input, caller) => faces.get(teamOf(caller).clientId),
});

/** Reads the face of any client. */
export const getClientFace: Action<{ readonly clientId: string }, ClientFace> = defineAction({
  id: 'clients.face',
  who: ['operator'],
  fields: { clientId: { kind: 'id', by: 'page' } },
  audit: { log: 'refusals', target: 'clientId', client: 'clientId' },
  outcomes: ['CLIENT_NOT_FOUND'],
  run: ({ faces }, { clientId }) => faces.get(clientId),
});

/** Replaces the details of the caller's face. The audit log keeps which are set. */
export const changeFace: Action<FaceInput, ClientFace> = defineAction({
  id: 'face.change',
  who: OWNERS,
  liveOnly: true,
  reauthenticate: true,
  fields: faceFields,
  check: faceIssues,
  audit: {
    detail: (input) => ({
      set: Object.entries(input)
        .filter(([, value]) => value !== undefined)
        .map(([key]) => key)
        .join(','),
    }),
  },
  outcomes: [],
  run: ({ faces }, input, caller) => faces.change(teamOf(caller).clientId, input),
});

/** Replaces the logo of the caller's client by an upload. */
export const changeLogo: Action<{ readonly upload: Upload }, ClientFace> = defineAction({
  id: 'face.change_logo',
  who: OWNERS,
  liveOnly: true,
  reauthenticate: true,
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
  run: ({ faces }, { upload }, caller) => faces.replaceLogo(teamOf(caller).clientId, upload),
});

/** Removes the logo of the caller's client. */
export const removeLogo: Action<object, ClientFace> = defineAction({
  id: 'face.remove_logo',
  who: OWNERS,
  liveOnly: true,
  reauthenticate: true,
  fields: {},
  outcomes: [],
  run: ({ faces }, _input, caller) => faces.removeLogo(teamOf(caller).clientId),
});
