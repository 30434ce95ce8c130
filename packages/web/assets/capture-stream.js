// @ts-check
// The camera itself.

/** Enough to read the small print of a card; cameras that have less give what they have. */
const IDEAL_WIDTH = 2560;
const IDEAL_HEIGHT = 1920;

/** Why the camera does not work, by the name of the exception (Media Capture and Streams, getUserMedia). */
const PROBLEMS = new Map([
  ['NotAllowedError', 'denied'],
  ['SecurityError', 'denied'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
]);

/** Whether the browser has a camera to offer: old ones have none, nor does any have one on a page without https. */
export function hasCamera() {
  return navigator.mediaDevices?.getUserMedia !== undefined;
}

/**
 * Asks the subject for the camera.
 *
 * @param {string} facing `user` or `environment`; where there is no such camera, another one does
 */
export function openCamera(facing) {
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: facing }, width: { ideal: IDEAL_WIDTH }, height: { ideal: IDEAL_HEIGHT } },
  });
}

/** @param {MediaStream | null} stream */
export function stopCamera(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/**
 * @param {unknown} error what `openCamera` threw
 * @returns {string} `denied`, `missing`, `busy` or `failed`
 */
export function problemOf(error) {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  return PROBLEMS.get(name) ?? 'failed';
}
