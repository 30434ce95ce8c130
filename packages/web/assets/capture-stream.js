// @ts-check
// Opens and closes the camera.

/** Enough to read the small print of a card. */
const IDEAL_WIDTH = 2560;
const IDEAL_HEIGHT = 1920;

/** Messages by the name of the exception (Media Capture and Streams, getUserMedia). */
const PROBLEMS = new Map([
  ['NotAllowedError', 'denied'],
  ['SecurityError', 'denied'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
]);

/** Whether the browser supports the camera: old browsers and pages without https do not. */
export function hasCamera() {
  return navigator.mediaDevices?.getUserMedia !== undefined;
}

/**
 * Asks the subject for the camera.
 *
 * @param {string} facing `user` or `environment`; if there is no such camera, another one is used
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
