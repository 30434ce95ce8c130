/**
 * What the browser would do besides: this list takes the place of playwright's, so it repeats what stands there for
 * Chromium on a machine without a screen (playwright-core 1.65, `chromiumSwitches`). Ours are the first three: the address
 * bar draws its suggestions as pages of its own now, and draws them for each context, which takes longer than most tests do.
 */
const WITHOUT = [
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
 * No traffic of its own, and a camera that shows a test picture (docs: the browser's command line). No process kept ready
 * for the page after next either: each context has its own in any case.
 */
export const CHROMIUM_ARGUMENTS: readonly string[] = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--use-fake-device-for-media-stream',
  '--no-sandbox',
  // There is none: without it, nothing is drawn twice.
  '--disable-gpu',
  '--renderer-process-limit=1',
  `--disable-features=${WITHOUT.join(',')}`,
];
