import type { Page } from 'playwright-core';

/** What the camera films. `card`, `passport` and `face` fill their masks, and no two pictures of them are the same. */
export type Scene =
  | 'card'
  | 'moving card'
  | 'far card'
  | 'card with glare'
  | 'passport'
  | 'face'
  | 'table'
  | 'black';

export interface DrawnCamera {
  /** Films another scene. */
  film(scene: Scene): Promise<void>;
  /** Films a picture that fills the mask of a card or of the page of a passport. */
  filmPicture(picture: Buffer, mask: 'card' | 'passport'): Promise<void>;
  /** Counts the cameras that are on. */
  running(): Promise<number>;
  /** Lets the camera start only after `letGo`, as while the browser asks for permission. */
  holdBack(): Promise<void>;
  letGo(): Promise<void>;
}

export interface CameraOptions {
  readonly scene?: Scene;
  readonly width?: number;
  readonly height?: number;
  /** Whether it has a light. */
  readonly torch?: boolean;
  /** Name of the exception with which the browser refuses the camera. */
  readonly refuses?: string;
}

/** Replaces the camera of the page's next documents by a canvas, so that a test decides what it films. */
export async function drawnCamera(page: Page, options: CameraOptions = {}): Promise<DrawnCamera> {
  const { scene = 'card', width = 1280, height = 960, torch = false, refuses } = options;
  const settings = JSON.stringify({ scene, width, height, torch, refuses });
  await page.addInitScript(`(${INSTALLS})(${settings})`);
  return {
    film: (scene) => page.evaluate(`drawnCamera.scene = ${JSON.stringify(scene)}; drawnCamera.draw()`),
    filmPicture: (picture, mask) => page.evaluate(`drawnCamera.show('${picture.toString('base64')}', '${mask}')`),
    running: () => page.evaluate<number>('drawnCamera.running()'),
    holdBack: () =>
      page.evaluate('drawnCamera.permission = new Promise((resolve) => { drawnCamera.letGo = resolve; }); 0'),
    letGo: () => page.evaluate('drawnCamera.letGo()'),
  };
}

/** Runs in the page. */
const INSTALLS = `({ scene, width, height, torch, refuses }) => {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  const tracks = [];
  let pictures = 0;
  const fill = (colour, ...box) => { context.fillStyle = colour; context.fillRect(...box); };
  const RATIOS = { card: 85.6 / 54, passport: 125 / 88, face: 3 / 4 };
  const boxOf = (mask, share, aside = 0) => {
    const across = Math.min(width, height * RATIOS[mask]) * 0.88 * share;
    const down = across / RATIOS[mask];
    return [(width - across) / 2 + aside, (height - down) / 2, across, down];
  };
  const sheet = (mask, share, aside) => {
    const [left, top, across, down] = boxOf(mask, share, aside);
    fill('#d8e2dc', left, top, across, down);
    context.fillStyle = '#1d3557';
    context.font = down / 14 + 'px monospace';
    for (let line = 0; line < 12; line += 1) {
      const words = 'MUSTERMANN<<ERIKA<<' + line + (line === 5 ? String(pictures) : '') + '<<';
      context.fillText(words, left + across * 0.02, top + down * (line + 1) / 12.5, across * 0.96);
    }
  };
  const oval = (colour, [left, top, across, down], share) => {
    context.fillStyle = colour;
    context.beginPath();
    context.ellipse(left + across / 2, top + down / 2, across * share / 2, down * share / 2, 0, 0, 7);
    context.fill();
  };
  const face = () => {
    const box = boxOf('face', 0.96);
    const [left, top, across, down] = box;
    for (let curl = 0; curl < 30; curl += 1) oval(curl % 2 ? '#2b1d14' : '#a5794f', box, 1 - curl / 75);
    oval('#e0b090', box, 0.6);
    for (const aside of [0.36, 0.56]) fill('#2b1d14', left + across * aside, top + down * 0.42, across * 0.08, down * 0.03);
    fill('#8c3b3b', left + across * 0.42, top + down * 0.65, across * 0.16 + pictures % 5, down * 0.03);
  };
  const SCENES = {
    card: () => sheet('card', 0.96),
    'moving card': () => sheet('card', 0.96, (pictures % 2) * width / 60),
    'far card': () => sheet('card', 0.5),
    'card with glare': () => {
      sheet('card', 0.96);
      context.fillStyle = 'white';
      context.beginPath();
      context.arc(width / 2, height / 2, height / 6, 0, 7);
      context.fill();
    },
    passport: () => sheet('passport', 0.96),
    face,
    table: () => undefined,
    picture: () => context.drawImage(camera.picture, ...boxOf(camera.mask, 0.98)),
    black: () => fill('black', 0, 0, width, height),
  };
  const camera = {
    scene,
    canvas,
    draw() {
      pictures += 1;
      fill('#5a4a3a', 0, 0, width, height);
      SCENES[camera.scene]();
    },
    async show(picture, mask) {
      const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
      Object.assign(camera, { picture: await createImageBitmap(new Blob([bytes])), mask, scene: 'picture' });
    },
    running: () => tracks.filter(({ readyState }) => readyState === 'live').length,
  };
  window.drawnCamera = camera;
  navigator.mediaDevices.getUserMedia = async () => {
    await camera.permission;
    if (refuses !== undefined) throw new DOMException('refused', refuses);
    camera.draw();
    const stream = canvas.captureStream(15);
    const [track] = stream.getVideoTracks();
    if (torch) {
      track.getCapabilities = () => ({ torch: true });
      track.applyConstraints = async () => undefined;
    }
    tracks.push(track);
    const timer = setInterval(() => track.readyState === 'live' ? camera.draw() : clearInterval(timer), 100);
    return stream;
  };
}`;
