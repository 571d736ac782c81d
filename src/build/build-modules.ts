import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { projectRoot } from './project-root.ts'

/** The folders of `dist` that hold JavaScript built from `src`. */
const FOLDERS = ['client', 'contract', 'server']

/**
 * Packages of hundreds of modules that each thread of the server would load and keep. Built in, their used parts are
 * in a few files: the server needs 40 MB less memory, and starts in half the time.
 */
const BUILT_IN = ['kysely', 'typebox']

const pathOf = (file: string) => join(projectRoot, file)

const common = { configFile: false, root: projectRoot, logLevel: 'warn', publicDir: false } as const
const output = { ssr: true, emptyOutDir: false, target: 'es2023', minify: false } as const

/** Builds the client library, module by module, and the server into `dist`. */
export async function buildModules(): Promise<void> {
  for (const folder of FOLDERS) await rm(pathOf(`dist/${folder}`), { recursive: true, force: true })
  await buildClient()
  await buildServer(pathOf('dist/server'), ['src/server/index.ts', ...serverEntries('server')])
}

/** Packages stay outside, except that nothing is left of `#…`. */
const buildClient = () =>
  build({
    ...common,
    ssr: { external: true },
    build: {
      ...output,
      outDir: 'dist',
      reportCompressedSize: false,
      rolldownOptions: {
        input: ['src/client/index.ts', 'src/client/node/open-file.ts'].map(pathOf),
        output: {
          preserveModules: true,
          preserveModulesRoot: pathOf('src'),
          entryFileNames: '[name].js',
        },
      },
    },
  })

/** The server's main file, and the entries of the processes and threads of some folders of `src`. */
export const serverEntries = (...folders: readonly string[]): string[] => [
  'src/server/main.ts',
  ...folders.flatMap((folder) =>
    globSync(`src/${folder}/**/*-{worker,child}.ts`, { cwd: projectRoot }),
  ),
]

/** Builds entries of the server into one folder: each is found beside the file that starts it. */
export const buildServer = async (outDir: string, entries: readonly string[]): Promise<void> => {
  await build({
    ...common,
    ssr: { noExternal: BUILT_IN },
    build: {
      ...output,
      outDir,
      rolldownOptions: {
        input: entries.map(pathOf),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // Each thread keeps the text of its modules, and most of Kysely's text is documentation.
          comments: { jsdoc: false },
        },
      },
    },
  })
}
