import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { projectRoot } from '#build/project-root.ts'
import { rollUpClientTypes } from './client-types.ts'
import { contractWithoutSchemas } from './contract-without-schemas.ts'

const pathOf = (file: string) => join(projectRoot, file)

/**
 * Builds the package `tessera-gallery-client` from `src/client` and `src/contract`. It contains one module for all
 * platforms, one for Node, and one that is loaded for servers that speak Socket.IO.
 */
export async function buildClientPackage(
  folder = join(projectRoot, 'dist/client'),
  options: { readonly isApiUpdated?: boolean } = {},
): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await buildClientModules(folder)
  await rollUpClientTypes(folder, options)
  await copyFile(pathOf('LICENSE'), join(folder, 'LICENSE'))
  await copyFile(pathOf('src/client/README.md'), join(folder, 'README.md'))
  const app = JSON.parse(await readFile(pathOf('package.json'), 'utf8'))
  const manifest = `${JSON.stringify(manifestOf(app), null, 2)}\n`
  await writeFile(join(folder, 'package.json'), manifest)
}

/** Builds the JavaScript of the package. */
export const buildClientModules = (outDir: string) =>
  build({
    configFile: false,
    root: projectRoot,
    logLevel: 'warn',
    publicDir: false,
    plugins: [contractWithoutSchemas()],
    ssr: { external: true },
    build: {
      ssr: true,
      target: 'es2023',
      minify: false,
      emptyOutDir: false,
      reportCompressedSize: false,
      outDir,
      rolldownOptions: {
        input: {
          index: pathOf('src/client/index.ts'),
          node: pathOf('src/client/node/open-file.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })

interface AppManifest {
  readonly version: string
  readonly license: string
  readonly devDependencies: Readonly<Record<string, string>>
}

const manifestOf = ({ version, license, devDependencies }: AppManifest) => ({
  name: 'tessera-gallery-client',
  version,
  description: 'Client library of Tessera and InvokeAI servers: boards, images, queue and events',
  keywords: ['tessera', 'invokeai', 'gallery', 'images', 'image-board', 'client'],
  license,
  type: 'module',
  sideEffects: false,
  main: './index.js',
  types: './index.d.ts',
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './node': { types: './node.d.ts', default: './node.js' },
    './package.json': './package.json',
  },
  engines: { node: '>=22' },
  peerDependencies: { 'socket.io-client': `^${devDependencies['socket.io-client']}` },
  peerDependenciesMeta: { 'socket.io-client': { optional: true } },
})
