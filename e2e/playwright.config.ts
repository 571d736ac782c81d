import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { findChromium, findFirefox } from '#build/browsers.ts'

/** Turns off what Chromium does in the background: updates, usage reports, first-run pages. */
const FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]

/** Tests of three processes behind a proxy (`npm run test:cluster`). */
const CLUSTER = 'cluster*.spec.ts'
/** Tests that share the large library (`npm test -- --all`). */
const RIG = 'rig*.spec.ts'
/**
 * Files whose tests all belong to `npm test -- --all`: large libraries, motion, models, and the details of an
 * InvokeAI server. In the other files, the tag `@long` marks such tests.
 */
const LONG = [
  '{bulk,generations-place,limits,memory,motion,whole-view}.spec.ts',
  'process-{leftovers,preview,refused,upscale}.spec.ts',
  'upstream-{accounts,library,outage}.spec.ts',
]

/** Stories that run in Firefox too (`npm test -- --all`). */
const FIREFOX = 'firefox.spec.ts'

/** Firefox has no emulation of media features in WebDriver BiDi. */
const FIREFOX_PREFERENCES = {
  'ui.prefersReducedMotion': 1,
  'ui.systemUsesDarkTheme': 0,
  // A mouse, which can hover. Without a window, Firefox claims to have no pointer.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
}

/** The other files. `npm test` leaves out their tests with `@long`. */
const BROWSER = { testMatch: '*.spec.ts', testIgnore: [CLUSTER, RIG, FIREFOX, ...LONG] }

const chromium = findChromium()
if (chromium === null) throw new Error('No Chromium was found. "npm test" can install one.')
const firefox = findFirefox()

export default defineConfig({
  testDir: '.',
  projects: [
    // The library is filled once per worker. First, so that the other tests run next to these.
    { name: 'rig', testMatch: RIG, workers: 1 },
    { name: 'long', testMatch: LONG },
    { name: 'browser', ...BROWSER },
    // Faults and load need a core for themselves.
    { name: 'cluster', testMatch: CLUSTER, workers: 1 },
    ...(firefox === null
      ? []
      : [
          {
            name: 'firefox',
            testMatch: FIREFOX,
            workers: 1,
            use: {
              browserName: 'firefox' as const,
              // The installed Firefox by WebDriver BiDi, not Playwright's patched one.
              channel: 'moz-firefox',
              launchOptions: {
                executablePath: fileURLToPath(new URL('fixtures/run-firefox.ts', import.meta.url)),
                env: { ...process.env, FIREFOX_PATH: firefox },
                firefoxUserPrefs: FIREFOX_PREFERENCES,
              },
            },
          },
        ]),
  ],
  outputDir: '../.cache/e2e',
  globalSetup: './fixtures/build-page.ts',
  forbidOnly: true,
  // One for each of two cores. With three, tests of large libraries took longer than their expectations wait. `npm test`
  // runs the other ones with three.
  workers: 2,
  // Busy machines are slow. A longer timeout does not make a wrong test pass.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    // Otherwise clicks wait for moving elements, and measurements see a temporary position.
    reducedMotion: 'reduce',
    // The tests of the service worker allow it.
    serviceWorkers: 'block',
    locale: 'en-US',
    timezoneId: 'UTC',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    // Recording every test costs a fifth of the browser's time, so only a retry is recorded.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: chromium.path, args: FLAGS },
  },
})
