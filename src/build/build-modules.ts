import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { projectRoot } from './project-root.ts'

/** The folders of `dist` that hold JavaScript built from the folders of the same name below `src`. */
const MODULE_FOLDERS = ['client', 'contract', 'demo', 'server']

/** The doors of the package, and its command. */
const doors = [
  'src/client/index.ts',
  'src/client/node/open-file.ts',
  'src/server/index.ts',
  'src/server/main.ts',
]

/**
 * Builds the client library and the server into `dist`, module by module: a worker, or the entry of a
 * process, is found beside the module that starts it, as in the source. Packages stay outside, except that nothing is left of `#…`.
 */
export async function buildModules(): Promise<void> {
  for (const folder of MODULE_FOLDERS) {
    await rm(join(projectRoot, 'dist', folder), { recursive: true, force: true })
  }
  const workers = globSync('src/{demo,server}/**/*-{worker,child}.ts', { cwd: projectRoot })
  await build({
    configFile: false,
    root: projectRoot,
    logLevel: 'warn',
    publicDir: false,
    ssr: { external: true },
    build: {
      ssr: true,
      outDir: 'dist',
      emptyOutDir: false,
      target: 'es2023',
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: [...doors, ...workers].map((file) => join(projectRoot, file)),
        output: {
          preserveModules: true,
          preserveModulesRoot: join(projectRoot, 'src'),
          entryFileNames: '[name].js',
        },
      },
    },
  })
}
