import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration as ProjectConfig } from 'vitest/config'

// Imported only in the modes that need them.
const pageExtras = new URL('src/build/page-extras.ts', import.meta.url).href
const pageChunks = new URL('src/build/page-chunks.ts', import.meta.url).href
const helpPages = new URL('src/build/help-pages.ts', import.meta.url).href
const contractWithoutSchemas = new URL(
  'src/build/client-package/contract-without-schemas.ts',
  import.meta.url,
).href
const builtForTests = new URL('src/build/built-for-tests.ts', import.meta.url).href
const slowFilesFirst = new URL('src/build/slow-files-first.ts', import.meta.url).href
const propertySeed = new URL('src/build/property-seed.ts', import.meta.url).href

/**
 * Test files that need a process each, because they inspect or change it (environment, memory, children). All
 * other files share a process, since starting one takes longer than most tests.
 */
const isolatedUnit = [
  'src/build/**/*.test.ts',
  // Counts the timers of its process.
  'src/server/core/upkeep/**/*.test.ts',
  'src/server/storage/disk/**/*.test.ts',
]
const isolatedIntegration = [
  'src/server/engine/process/**/*.test.ts',
  'src/server/storage/intake/**/*.test.ts',
  'src/server/storage/playable/open-video-converter.test.ts',
  'src/build/{client-package/*,dev,package,run-tests,test-options}.test.ts',
  'src/integration/hang-up.test.ts',
]

/** Tests that start servers and other processes. `npm run test:quick` leaves them out. */
const integration = [
  ...isolatedIntegration,
  'src/integration/**/*.test.ts',
  'src/server/core/{imports/*,intake/demo-service}.test.ts',
  'src/testing/server/*.test.ts',
  'src/server/storage/backup/*.test.ts',
  'src/server/engine/open-engine.test.ts',
  'src/gallery/api/{copy-images,process/process-images,process/process-work}.test.ts',
  'src/server/storage/{export,import}/**/*.test.ts',
]

/** Tests of adapters with real servers, which a global setup finds and starts. */
const engines = [
  'src/server/{storage/migrate,storage/postgres,storage/s3,redis}/**/*.test.ts',
  'src/integration/postgres/*.test.ts',
]

const project = (name: string, test: ProjectConfig['test']): ProjectConfig => ({
  extends: true,
  test: { name, ...test },
})

export default defineConfig(async ({ mode }) => {
  if (mode === 'test') (await import(propertySeed)).chooseAndPrintPropertySeed()
  return {
    // Tests run in Node and need none of the page's plugins.
    plugins:
      mode === 'test'
        ? [(await import(builtForTests)).startingBuiltEntries()]
        : [
            react(),
            tailwindcss(),
            (await import(pageExtras)).pageExtras(),
            (await import(pageChunks)).preloadComponents(),
            (await import(pageChunks)).compileWhileLoading(),
            (await import(helpPages)).helpPages(),
            (await import(pageExtras)).apiReference(),
            (await import(contractWithoutSchemas)).contractWithoutSchemas(),
          ],
    // The page project uses React's production build, which has no JSX for development.
    ...(mode === 'test' && { oxc: { jsx: { development: false } } }),
    // Addresses relative to <base>, because a proxy may serve the page below a path.
    base: './',
    build: {
      outDir: 'dist/page',
      emptyOutDir: true,
      // All supported browsers preload modules without a polyfill.
      modulePreload: { polyfill: false },
      // The page's Content-Security-Policy allows images and scripts only from the server, not from data: URLs.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          ...(mode !== 'test' && { codeSplitting: (await import(pageChunks)).pageChunks() }),
        },
      },
    },
    test: {
      projects: [
        project('unit', {
          include: ['src/**/*.test.ts'],
          exclude: [...isolatedUnit, ...integration, ...engines],
          isolate: false,
        }),
        project('unit-isolated', { include: isolatedUnit, exclude: integration }),
        project('integration', {
          include: integration,
          exclude: [...isolatedIntegration, ...engines],
          isolate: false,
        }),
        project('page', {
          include: ['src/gallery/**/*.test.tsx'],
          environment: './src/testing/page-environment.ts',
          isolate: false,
          setupFiles: ['src/testing/set-up-react.ts', 'src/testing/set-up-page.ts'],
          env: { NODE_ENV: 'production' },
          // Both packages keep state in modules, which each test file loads again.
          server: { deps: { inline: ['idb-keyval', 'sonner'] } },
        }),
        project('integration-isolated', { include: isolatedIntegration }),
        project('engines', {
          include: engines,
          globalSetup: ['src/testing/engines/start-engines.ts'],
          isolate: false,
        }),
      ],
      setupFiles: ['src/testing/set-up-fast-check.ts'],
      // A test may open a database and decode images, which takes long on two busy cores.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
      // Tests often wait for a disk, a timer or another process, so two workers per core keep two cores busy.
      maxWorkers: 4,
      ...(mode === 'test' && {
        sequence: { sequencer: (await import(slowFilesFirst)).SlowFilesFirst },
      }),
    },
  }
})
