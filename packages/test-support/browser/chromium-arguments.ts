/**
 * Disabled features. This list replaces playwright's, so it repeats the features that playwright disables
 * (playwright-core 1.65, `chromiumSwitches`). The first four are ours: with `RenderDocument`, each navigation builds a view and
 * a compositor, a quarter of the navigation's processor time. Chromium also renders the suggestions of the address bar as pages,
 * for each context, which takes longer than most tests.
 */
const WITHOUT = [
  'RenderDocument',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/**
 * No background traffic, a fake camera with a test picture, and no spare renderer process, because each context starts its
 * own.
 */
const ARGUMENTS: readonly string[] = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--use-fake-device-for-media-stream',
  '--no-sandbox',
  // Names of tests (RFC 6761) lead to this machine, where browsers trust http only on localhost.
  '--host-resolver-rules=MAP *.test 127.0.0.1',
  // Test machines have no GPU.
  '--disable-gpu',
  // Without a process of its own for drawing: pages take an eighth less processor time.
  '--in-process-gpu',
  '--num-raster-threads=1',
  '--renderer-process-limit=1',
  `--disable-features=${WITHOUT.join(',')}`,
];

/**
 * Compiles and collects garbage in the thread of the scripts: most code of a page runs once, and pages take a fifth less
 * processor time.
 */
const ALONE = '--single-threaded';
/** Turns off the optimising compilers: the renderer takes another eighth less. */
const ONCE = '--no-maglev,--no-turbofan';

/**
 * Returns Chromium's arguments.
 * @param isFilming whether pages judge the pictures of a camera for seconds: optimised code takes half the processor time
 */
export function chromiumArguments(isFilming: boolean): string[] {
  return [...ARGUMENTS, `--js-flags=${[ALONE, ...(isFilming ? [] : [ONCE])].join(',')}`];
}
