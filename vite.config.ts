import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Loaded only by who runs tests. */
const builtForTests = new URL('src/build/built-for-tests.ts', import.meta.url).href
const slowFilesFirst = new URL('src/build/slow-files-first.ts', import.meta.url).href
const typeboxInPage = fileURLToPath(new URL('src/build/typebox-in-page.ts', import.meta.url))

/**
 * The page keeps its state in modules, which no file may find as another left it. Others look at the process
 * that they are in: at its environment, its memory, its children. The rest keeps nothing outside its objects.
 */
const inTheirOwnProcess = [
  'src/gallery/{api,images,progress}/**/*.test.{ts,tsx}',
  'src/build/**/*.test.ts',
  'src/server/engine/process/**/*.test.ts',
  'src/server/storage/{disk,intake}/**/*.test.ts',
  'src/integration/hang-up.test.ts',
]

export default defineConfig(async ({ mode }) => ({
  // Tests run in Node and draw no page, so they need neither of the page's plugins.
  plugins:
    mode === 'test'
      ? [(await import(builtForTests)).startingBuiltEntries()]
      : [react(), tailwindcss()],
  // A built page carries the schemas of the contract, but nothing that reads them.
  resolve: { alias: mode === 'production' ? { typebox: typeboxInPage } : {} },
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    // Every browser that is modern enough for the page preloads modules by itself.
    modulePreload: { polyfill: false },
    // The page's Content-Security-Policy takes images and scripts from the server alone, not from data: addresses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  test: {
    projects: [
      {
        // To start a process and load the same modules for each file cost more than most tests do.
        extends: true,
        test: {
          name: 'sharing',
          include: ['src/**/*.test.{ts,tsx}', 'e2e/fake-invokeai/**/*.test.ts'],
          exclude: inTheirOwnProcess,
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: inTheirOwnProcess } },
    ],
    setupFiles: ['src/testing/set-up-fast-check.ts'],
    // A test opens a database and decodes images; on two busy cores that may take a while.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    ...(mode === 'test' && {
      sequence: { sequencer: (await import(slowFilesFirst)).SlowFilesFirst },
    }),
  },
}))
