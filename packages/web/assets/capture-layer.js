// @ts-check
// The camera over the whole screen: a live picture with a mask and hints, the picture taken, and its upload.

import { createGuide, hintOf } from './capture-guide.js';
import { submitted } from './capture-pages.js';
import { draw, fileOfCanvas, flawOfCanvas } from './capture-picture.js';
import { maskOf } from './capture-quality.js';
import { sendFile } from './capture-upload.js';

/** @typedef {import('./capture-pages.js').Answer} Answer */
/** @typedef {import('./capture-worker.js').Judged} Judged */
/**
 * @typedef {object} Asked what an upload page asks for
 * @property {HTMLFormElement} form
 * @property {HTMLDialogElement} dialog the layer with the texts of this page
 * @property {(answer: Answer, history: 'push' | 'replace' | 'keep') => void} show shows another page
 * @property {(error?: unknown) => void} onClosed is called with what ended the camera: an exception, or the name of a problem
 */
/** @typedef {'closed' | 'starting' | 'live' | 'paused' | 'taken' | 'sending' | 'broken'} View */

/** Enough to read the small print of a card. */
const IDEAL_WIDTH = 2560;
const IDEAL_HEIGHT = 1920;
/** Longest side of the live pictures that are measured, and the time between them. */
const MEASURED = 640;
const MEASURED_EVERY_MS = 120;

/** @type {ReturnType<typeof createLayer> | undefined} */
let layer;

/** The one layer of the page. It stays open while the page below it changes. */
export function cameraLayer() {
  layer ??= createLayer();
  return layer;
}

function createLayer() {
  /** @type {Asked | null} */
  let asked = null;
  /** @type {HTMLDialogElement} */
  let dialog = document.createElement('dialog');
  /** @type {View} */
  let view = 'closed';
  /** @type {MediaStream | null} */
  let stream = null;
  // Counts openings and closings: a permission granted after closing must not open the camera.
  let turn = 0;
  let timer = 0;
  let guide = createGuide();
  /** @type {Worker | null} */
  let worker = null;
  /** @type {ReturnType<typeof sendFile> | null} */
  let upload = null;
  /** @type {Answer | null} */
  let uploaded = null;
  const sample = document.createElement('canvas');

  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (dialog.querySelector(`[data-camera-part=${name}]`));
  const video = () => /** @type {HTMLVideoElement} */ (part('video'));
  const still = () => /** @type {HTMLCanvasElement} */ (part('still'));
  const progress = () => /** @type {HTMLProgressElement} */ (part('progress'));
  const shape = () => /** @type {import('./capture-quality.js').Shape} */ (dialog.dataset.mask ?? 'card');

  /**
   * Shows a line, and says it to screen readers.
   * @param {string} text name of a message of the layer
   */
  const say = (text) => {
    show(text);
    part('status').textContent = dialog.dataset[text] ?? '';
  };

  /** @param {string} text */
  const show = (text) => {
    part('line').textContent = dialog.dataset[text] ?? '';
    dialog.dataset.hint = text;
  };

  /** @param {View} next */
  const setView = (next) => {
    view = next;
    dialog.dataset.view = next;
    const isTaken = next === 'taken' || next === 'sending' || next === 'broken';
    video().hidden = isTaken;
    still().hidden = !isTaken;
    part('mask').toggleAttribute('hidden', next !== 'live');
    const shown = { live: next === 'live', paused: next === 'paused', taken: isTaken };
    for (const [name, isShown] of Object.entries(shown)) part(name).hidden = !isShown;
    part('use').hidden = next === 'broken';
    part('retry').hidden = next !== 'broken';
    for (const name of ['use', 'again']) part(name).setAttribute('aria-disabled', String(next === 'sending'));
    progress().hidden = next !== 'sending';
  };

  /** @param {MediaStream | null} camera */
  const stopTracks = (camera) => {
    for (const track of camera?.getTracks() ?? []) track.stop();
  };

  const stopCamera = () => {
    clearTimeout(timer);
    stopTracks(stream);
    stream = null;
    video().srcObject = null;
  };

  /** @param {unknown} [error] */
  const close = (error) => {
    if (view === 'closed') return;
    turn += 1;
    upload?.abort();
    forgetPicture();
    stopCamera();
    setView('closed');
    dialog.close();
    asked?.onClosed(error);
  };

  /** Deletes an unsent picture. */
  const forgetPicture = () => {
    upload = null;
    uploaded = null;
    still().width = 0;
  };

  const startCamera = async () => {
    turn += 1;
    const mine = turn;
    forgetPicture();
    setView('starting');
    say('starting');
    try {
      const opened = stream ?? (await openCamera(dialog.dataset.facing ?? ''));
      // A camera that was asked for later may have answered before.
      if (mine !== turn) return stopTracks(opened);
      stream = opened;
      const [track] = stream.getVideoTracks();
      if (track === undefined) return stopCamera();
      track.addEventListener('ended', () => cameraEnded(track));
      offerLight(track);
      // Safari ignores the attribute of an element that a template made.
      video().muted = true;
      if (video().srcObject !== stream) video().srcObject = stream;
      await video().play();
      if (mine !== turn) return;
      const { videoWidth, videoHeight } = video();
      if (Math.min(videoWidth, videoHeight) < Number(dialog.dataset.minSide)) return close('small');
      drawMask();
      guide = createGuide();
      setView('live');
      say('ready');
      part('shutter').focus();
      measureLater();
    } catch (error) {
      // Closing the camera ends the attempt. That is not an error.
      if (mine === turn) close(error);
    }
  };

  /**
   * Another program took the camera, or it was unplugged. Keeps a picture that was taken.
   * @param {MediaStreamTrack} track
   */
  const cameraEnded = (track) => {
    if (stream?.getVideoTracks().includes(track) !== true) return;
    if (view === 'live' || view === 'starting') close('busy');
    else stopCamera();
  };

  const drawMask = () => {
    const { videoWidth: width, videoHeight: height } = video();
    const mask = maskOf(shape(), width, height);
    const round =
      shape() === 'face' ? [mask.width / 2, mask.height / 2] : [mask.height * 0.06, mask.height * 0.06];
    part('mask').setAttribute('viewBox', `0 0 ${width} ${height}`);
    for (const line of part('mask').querySelectorAll('path')) {
      const around = line.dataset.outside === undefined ? '' : `M0 0H${width}V${height}H0Z`;
      line.setAttribute('d', around + roundedPath(mask, round[0] ?? 0, round[1] ?? 0));
    }
  };

  /** @param {MediaStreamTrack} track */
  const offerLight = (track) => {
    const light = part('light');
    const capabilities = /** @type {{ torch?: boolean }} */ (track.getCapabilities?.() ?? {});
    light.hidden = capabilities.torch !== true;
    light.setAttribute('aria-pressed', 'false');
  };

  const switchLight = async () => {
    const torch = part('light').getAttribute('aria-pressed') !== 'true';
    const constraints = {
      advanced: [/** @type {MediaTrackConstraintSet} */ (/** @type {unknown} */ ({ torch }))],
    };
    const isDone = await stream
      ?.getVideoTracks()[0]
      ?.applyConstraints(constraints)
      .then(
        () => true,
        () => false,
      );
    if (isDone) part('light').setAttribute('aria-pressed', String(torch));
  };

  const measureLater = () => {
    clearTimeout(timer);
    timer = window.setTimeout(measureNow, MEASURED_EVERY_MS);
  };

  /** Returns the pixels of the live picture, small; null if the browser fails to read them. */
  const sampled = () => {
    const size = { width: video().videoWidth, height: video().videoHeight };
    try {
      return draw(sample, video(), size, MEASURED)?.getImageData(0, 0, sample.width, sample.height) ?? null;
    } catch {
      return null;
    }
  };

  const measureNow = () => {
    if (view !== 'live') return;
    const picture = sampled();
    // The browser failed once, such as for lack of memory.
    if (picture === null) return measureLater();
    // Without the worker there is the button.
    worker ??= startWorker((measures) => {
      if (view !== 'live') return;
      const hint = hintOf(measures, measures.lineHint);
      const { shown, said, release } = guide(hint, performance.now(), hintOf(measures));
      if (shown !== null) show(shown);
      const words = dialog.dataset[said ?? ''] ?? '';
      if (words !== '' && part('status').textContent !== words) part('status').textContent = words;
      if (release) take();
      else measureLater();
    });
    const hasLines = dialog.dataset.lines !== undefined;
    worker?.postMessage({ picture, shape: shape(), hasLines }, [picture.data.buffer]);
  };

  const take = () => {
    if (view !== 'live') return;
    clearTimeout(timer);
    draw(still(), video(), { width: video().videoWidth, height: video().videoHeight });
    const flaw = flawOfCanvas(still());
    dialog.dataset.flaw = flaw ?? '';
    setView('taken');
    say(flaw === null ? 'taken' : `${flaw}Taken`);
    part('use').classList.toggle('secondary', flaw !== null);
    part('again').classList.toggle('secondary', flaw === null);
    part(flaw === null ? 'use' : 'again').focus();
    // A picture that looks bad is sent only if the subject wants it.
    if (flaw === null) void send();
  };

  /** Sends the picture while the subject looks at it. */
  const send = async () => {
    const mine = turn;
    const file = await fileOfCanvas(still()).catch(() => null);
    if (mine !== turn || asked === null || upload !== null || uploaded !== null) return;
    if (file === null) return close('failed');
    const flaw = dialog.dataset.flaw;
    try {
      upload = sendFile(asked.form, file, flaw === '' ? null : (flaw ?? null), (loaded, total) => {
        progress().max = total;
        progress().value = loaded;
        if (loaded === total && view === 'sending') say('checking');
      });
    } catch {
      // A fault before the picture is sent: it did not arrive.
    }
    const answer = (await upload?.answer) ?? null;
    if (mine !== turn) return;
    upload = null;
    uploaded = answer;
    if (view === 'sending') await goOn();
  };

  const use = async () => {
    if (view !== 'taken' && view !== 'broken') return;
    progress().removeAttribute('value');
    setView('sending');
    say('sending');
    part('close').focus();
    if (uploaded !== null) await goOn();
    else if (upload === null) await send();
  };

  /** Follows the answer to the upload: to the next page, or to what the server says about the picture. */
  const goOn = async () => {
    const mine = turn;
    const confirmation = uploaded?.document.querySelector('form[data-use-picture]');
    if (uploaded?.ok && confirmation instanceof HTMLFormElement) {
      // The server sees what the browser has not seen.
      if (uploaded.document.querySelector('[data-picture-warning]') !== null) return leaveFor(uploaded, 'replace');
      const next = await submitted(confirmation);
      if (mine !== turn) return;
      if (next === null || isForeign(next)) return broken();
      if (!next.ok) return leaveFor(next, 'keep');
      if (next.document.querySelector('form[data-upload] template[data-camera]') === null)
        return leaveFor(next, null);
      turn += 1;
      asked?.show(next, 'push');
      return startCamera();
    }
    // The next try sends the picture again.
    if (uploaded !== null && isForeign(uploaded)) uploaded = null;
    if (uploaded === null) return broken();
    return leaveFor(uploaded, uploaded.ok ? null : 'keep');
  };

  const broken = () => {
    setView('broken');
    part('again').classList.add('secondary');
    say('notSent');
    part('retry').focus();
  };

  /**
   * @param {Answer} answer
   * @param {'replace' | 'keep' | null} history null to load the page
   */
  const leaveFor = (answer, history) => {
    const show = asked?.show;
    if (history === null) {
      stopCamera();
      location.assign(answer.url);
      return;
    }
    close();
    show?.(answer, history);
  };

  const again = () => {
    if (view !== 'taken' && view !== 'broken') return;
    upload?.abort();
    void startCamera();
  };

  const listen = () => {
    part('shutter').addEventListener('click', take);
    part('light').addEventListener('click', () => void switchLight());
    part('use').addEventListener('click', () => void use());
    part('retry').addEventListener('click', () => void use());
    part('again').addEventListener('click', again);
    part('resume').addEventListener('click', () => void startCamera());
    part('close').addEventListener('click', () => close());
    video().addEventListener('resize', () => view === 'live' && drawMask());
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      close();
    });
  };

  // Turns the camera off in a hidden page. Keeps a picture that was taken.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden || view === 'closed') return;
    stopCamera();
    if (view !== 'live' && view !== 'starting') return;
    turn += 1;
    setView('paused');
    say('paused');
  });
  addEventListener('pagehide', () => close());

  return {
    isOpen: () => view !== 'closed',
    /** @param {Asked} next */
    bind(next) {
      if (view === 'closed') {
        dialog.remove();
        dialog = next.dialog;
        document.body.append(dialog);
        listen();
      } else {
        if (dialog.dataset.facing !== next.dialog.dataset.facing) stopCamera();
        Object.assign(dialog.dataset, { ...next.dialog.dataset, view });
        dialog.className = next.dialog.className;
        for (const text of dialog.querySelectorAll('[data-camera-text]')) {
          const name = text.getAttribute('data-camera-text');
          const other = next.dialog.querySelector(`[data-camera-text=${name}]`);
          if (other !== null) text.replaceChildren(...other.cloneNode(true).childNodes);
        }
      }
      asked = next;
    },
    open() {
      dialog.showModal();
      return startCamera();
    },
  };
}

/**
 * Whether a proxy answered in place of the service, with an error page of its own.
 *
 * @param {Answer} answer
 */
function isForeign({ ok, main }) {
  return !ok && main === null;
}

/**
 * Asks the subject for the camera.
 *
 * @param {string} facing `user` or `environment`; if there is no such camera, another one is used
 */
function openCamera(facing) {
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: facing }, width: { ideal: IDEAL_WIDTH }, height: { ideal: IDEAL_HEIGHT } },
  });
}

/** @param {(measures: Judged) => void} onMeasures */
function startWorker(onMeasures) {
  try {
    const worker = new Worker(new URL('capture-worker.js', import.meta.url), { type: 'module' });
    worker.addEventListener('message', (/** @type {MessageEvent<Judged>} */ { data }) => onMeasures(data));
    return worker;
  } catch {
    return null;
  }
}

/**
 * @param {import('./capture-quality.js').Area} area
 * @param {number} rx
 * @param {number} ry
 */
function roundedPath({ x, y, width, height }, rx, ry) {
  const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`;
  return `M${x + rx} ${y}h${width - 2 * rx}${corner(rx, ry)}v${height - 2 * ry}${corner(-rx, ry)}h${2 * rx - width}${corner(-rx, -ry)}v${2 * ry - height}${corner(rx, -ry)}z`;
}
