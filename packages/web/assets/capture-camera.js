// @ts-check
// Takes a picture with the camera and sends it as the file of a form.
import { flawOfCanvas } from './capture-quality.js';

const JPEG_QUALITY = 0.92;

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

/**
 * Offers the camera in a form with a file input. Its texts and buttons stand in a `<template data-camera>`.
 * Without a camera, only the file input is offered.
 *
 * @param {HTMLFormElement} form
 */
export function offerCamera(form) {
  const template = form.querySelector('template[data-camera]');
  const input = form.querySelector('input[type=file]');
  if (!(template instanceof HTMLTemplateElement) || !(input instanceof HTMLInputElement) || !hasCamera()) return;
  input.removeAttribute('capture');
  template.replaceWith(template.content);

  /** @type {HTMLElement} */
  const root = form.querySelector('[data-camera-root]') ?? form;
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (root.querySelector(`[data-camera-part=${name}]`));
  const start = /** @type {HTMLButtonElement} */ (part('start'));
  const shutter = /** @type {HTMLButtonElement} */ (part('shutter'));
  const video = /** @type {HTMLVideoElement} */ (part('video'));
  const still = /** @type {HTMLCanvasElement} */ (part('still'));
  const stage = part('stage');
  const status = part('status');

  /** @type {MediaStream | null} */
  let stream = null;
  // Counts openings and closings: a permission granted after closing must not open the camera.
  let turn = 0;

  /** @param {string} text name of a message in the template */
  const say = (text) => {
    status.textContent = root.dataset[text] ?? '';
  };

  /** @param {'live' | 'taken'} view */
  const show = (view) => {
    start.hidden = true;
    stage.hidden = false;
    for (const element of [video, part('live')]) element.hidden = view !== 'live';
    for (const element of [still, part('taken')]) element.hidden = view !== 'taken';
  };

  const release = () => {
    stopCamera(stream);
    stream = null;
    video.srcObject = null;
  };

  /** @param {string} text */
  const close = (text) => {
    turn += 1;
    release();
    // Deletes an unsent picture.
    still.width = 0;
    stage.hidden = true;
    start.hidden = false;
    start.disabled = false;
    say(text);
  };

  const open = async () => {
    turn += 1;
    const mine = turn;
    start.disabled = true;
    say('starting');
    try {
      const given = await openCamera(root.dataset.facing ?? '');
      if (mine !== turn) return stopCamera(given);
      stream = given;
      given.getVideoTracks()[0]?.addEventListener('ended', () => close('busy'));
      video.srcObject = given;
      shutter.disabled = true;
      show('live');
      await video.play();
      shutter.disabled = false;
      say('ready');
      shutter.focus();
    } catch (error) {
      // Closing the camera ends the attempt. That is not an error.
      if (mine !== turn) return;
      close(problemOf(error));
      start.focus();
    }
  };

  const take = () => {
    still.width = video.videoWidth;
    still.height = video.videoHeight;
    still.getContext('2d')?.drawImage(video, 0, 0);
    release();
    show('taken');
    say(flawOfCanvas(still) ?? 'taken');
    part('use').focus();
  };

  /** @param {Blob | null} picture */
  const send = (picture) => {
    if (picture === null) return close('failed');
    const files = new DataTransfer();
    files.items.add(new File([picture], 'picture.jpg', { type: picture.type }));
    input.files = files.files;
    close('');
    form.requestSubmit();
  };

  const leave = () => {
    close('closed');
    start.focus();
  };

  start.addEventListener('click', () => void open());
  part('again').addEventListener('click', () => void open());
  shutter.addEventListener('click', take);
  part('use').addEventListener('click', () => still.toBlob(send, 'image/jpeg', JPEG_QUALITY));
  part('close').addEventListener('click', leave);
  root.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && !stage.hidden) leave();
  });
  // Turns the camera off in a hidden page. Keeps a picture that was taken.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && stream !== null) close('closed');
  });
  addEventListener('pagehide', () => {
    if (!stage.hidden || start.disabled) close('');
  });
}

/** Whether the browser supports the camera: old browsers and pages without https do not. */
function hasCamera() {
  return navigator.mediaDevices?.getUserMedia !== undefined;
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

/** @param {MediaStream | null} stream */
function stopCamera(stream) {
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
