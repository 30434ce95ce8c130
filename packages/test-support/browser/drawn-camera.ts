import type { Page } from 'playwright-core';

/** What the camera films. `card` fills the mask of a card, and no two pictures of it are the same. */
export type Scene = 'card' | 'moving card' | 'far card' | 'card with glare' | 'table' | 'black';

export interface DrawnCamera {
  /** Films another scene. */
  film(scene: Scene): Promise<void>;
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
  const card = (share, aside = 0) => {
    const across = Math.min(width, height * 85.6 / 54) * 0.88 * share;
    const down = across * 54 / 85.6;
    const [left, top] = [(width - across) / 2 + aside, (height - down) / 2];
    fill('#d8e2dc', left, top, across, down);
    context.fillStyle = '#1d3557';
    context.font = down / 14 + 'px monospace';
    for (let line = 0; line < 12; line += 1) {
      const words = 'MUSTERMANN<<ERIKA<<' + line + (line === 5 ? String(pictures) : '') + '<<';
      context.fillText(words, left + across * 0.02, top + down * (line + 1) / 12.5, across * 0.96);
    }
  };
  const SCENES = {
    card: () => card(0.96),
    'moving card': () => card(0.96, (pictures % 2) * width / 60),
    'far card': () => card(0.5),
    'card with glare': () => {
      card(0.96);
      context.fillStyle = 'white';
      context.beginPath();
      context.arc(width / 2, height / 2, height / 6, 0, 7);
      context.fill();
    },
    table: () => undefined,
    black: () => fill('black', 0, 0, width, height),
  };
  const camera = {
    scene,
    draw() {
      pictures += 1;
      fill('#5a4a3a', 0, 0, width, height);
      SCENES[camera.scene]();
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
