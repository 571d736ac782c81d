import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { checkPackage, Package } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { projectRoot } from '#build/project-root.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { buildClientPackage } from './build-client-package.ts'

const NAME = 'tessera-gallery-client'

/** A program outside the project that depends on the package and on nothing else. */
let app = ''
let installed = ''
let server: RunningServer

beforeAll(async () => {
  // Inside the project, because the build refuses other folders. The program sees only its own node_modules.
  await mkdir(join(projectRoot, 'dist'), { recursive: true })
  app = await mkdtemp(join(projectRoot, 'dist/consumer-'))
  installed = join(app, 'node_modules', NAME)
  await buildClientPackage(installed)
  await writeFile(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await writeFile(join(app, 'cat.png'), (await drawFile('cat.png')).stream())
  server = await startServer()
}, 180_000)

afterAll(async () => {
  await server?.close()
  await rm(app, { recursive: true, force: true })
})

const run = async (program: string, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, args, { cwd: app }).catch(
    (error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr }),
  )
  return stdout
}

it('depends on no other package', async () => {
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))

  expect(manifest).not.toHaveProperty('dependencies')
  expect((await readdir(installed)).sort()).toEqual([
    ...['LICENSE', 'README.md', 'event-socket-io.js', 'index.d.ts', 'index.js'],
    ...['node.d.ts', 'node.js', 'package.json'],
  ])
  const texts = globSync('*.{js,ts}', { cwd: installed }).map((file) =>
    readFileSync(join(installed, file), 'utf8'),
  )
  expect(texts.filter((text) => /typebox|['"]#/.test(text))).toEqual([])
})

it('links only to files of the package', async () => {
  const readme = await readFile(join(installed, 'README.md'), 'utf8')

  const links = [...readme.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link)
  expect(links.filter((link) => !/^https?:/.test(link ?? ''))).toEqual([])
})

/** Bundles a program for browsers, and returns the compressed size of the code that is loaded at once. */
const bundledSize = async (code: string): Promise<number> => {
  const entry = join(app, 'bundled.js')
  await writeFile(entry, code)
  const bundle = await build({
    configFile: false,
    root: app,
    logLevel: 'error',
    build: {
      write: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        external: ['socket.io-client'],
      },
    },
  })
  const { output } = bundle as Rolldown.RolldownOutput
  const chunks = output.filter((part) => part.type === 'chunk')
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of loaded) {
    for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) {
      loaded.add(other)
    }
  }
  const sizes = chunks
    .filter(({ fileName }) => loaded.has(fileName))
    .map(({ code: text }) => gzipSync(text).length)
  return sizes.reduce((sum, size) => sum + size, 0)
}

test.each([
  ['connect', 22_000],
  ['isUncategorized', 1_000],
  ['RefusedError', 1_000],
])('adds little to the bundle of a program that uses %s', async (name, maxBytes) => {
  const size = await bundledSize(`export { ${name} } from '${NAME}'`)

  expect(size).toBeGreaterThan(50)
  expect(size).toBeLessThan(maxBytes)
})

it('passes publint', async () => {
  const { messages } = await publint({ pkgDir: installed, pack: false, strict: true })

  expect(messages).toEqual([])
})

it('has types for each kind of module resolution', async () => {
  const files = Object.fromEntries(
    (await readdir(installed)).map((file) => [
      `/node_modules/${NAME}/${file}`,
      readFileSync(join(installed, file), 'utf8'),
    ]),
  )
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))

  const result = await checkPackage(new Package(files, NAME, version))
  const problems = 'problems' in result ? result.problems : []
  // CommonJS programs can require the modules since Node 22.12.
  expect(problems.filter(({ kind }) => kind !== 'CJSResolvesToESM')).toEqual([])
  expect(result.types).not.toBe(false)
})

const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc')
const OPTIONS = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes']

it('has types that are correct and cheap to check', async () => {
  await writeFile(
    join(app, 'consumer.ts'),
    `import { type BoardHandle, connect, RefusedError } from '${NAME}'
     const { boards, events } = connect({ baseUrl: 'http://127.0.0.1:9091' })
     const handle: BoardHandle | null = await boards.getBoardHandleByName('Portraits')
     const count: number | undefined = await handle?.getImageCount()
     const names: string[] | undefined = await handle?.listImages({ limit: 10, starredFirst: true })
     const status: number = new RefusedError({ code: 'busy', status: 503, url: '', detail: '' }).status
     events.listen(({ event, data }) => {
       if (event === 'invocation_progress') console.log(data.percentage?.toFixed())
     })
     // @ts-expect-error An order that does not exist
     await handle?.listImages({ orderDir: 'newest' })
     // @ts-expect-error A board's id is a string
     await boards.deleteBoard(7)
     console.log(count, names, status)`,
  )
  const options = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022']
  const platform = ['--lib', 'es2022,dom', '--types', '', '--skipLibCheck', 'false']

  const said = await run(
    process.execPath,
    ...[tsc, ...OPTIONS, ...options, ...platform, '--extendedDiagnostics', 'consumer.ts'],
  )
  expect(said).not.toContain('error TS')
  // TypeScript's own library takes 28,000.
  const [, instantiations] = /Instantiations:\s+(\d+)/.exec(said) ?? []
  expect(Number(instantiations)).toBeLessThan(50_000)
})

it('describes fields with the texts of the contract', async () => {
  const types = await readFile(join(installed, 'index.d.ts'), 'utf8')

  expect(types).toMatch(/\/\*\* Use it exactly as returned\. \*\/\s+image_name: string/)
  expect(types).not.toMatch(/\w_2\b/)
})

it('declares the types that TypeScript derives from the schemas', async () => {
  const types = await readFile(join(installed, 'index.d.ts'), 'utf8')
  const names = ['ImageRecord', 'ImagesPage', 'QueueItem', 'Batch', 'Capabilities', 'ServerEvent']
  const all = [...names, 'BatchUploadLine', 'Import', 'NormalMetadata', 'ModelRecord', 'TrashPage']
  expect(all.filter((name) => !types.includes(` ${name} `))).toEqual([])
  await writeFile(
    join(app, 'same.ts'),
    `import type * as built from '${NAME}'
     import type * as source from '#client/index.ts'
     type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
     const same: [${all.map((name) => `Same<built.${name}, source.${name}>`)}] = [${all.map(() => 'true')}]
     console.log(same)`,
  )
  await writeFile(
    join(app, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../src/tsconfig.base.json',
      compilerOptions: {
        composite: false,
        noEmit: true,
        emitDeclarationOnly: false,
        rootDir: '../..',
        lib: ['ES2024', 'ESNext.Disposable', 'WebWorker'],
        paths: { '#*': ['../../.cache/types/*'] },
      },
      files: ['same.ts'],
    }),
  )

  expect(await run(process.execPath, tsc, '-p', app)).toBe('')
})

/**
 * The runtimes to try: this Node, and those that the environment names, such as
 * `CLIENT_RUNTIMES=/opt/node22/bin/node:/usr/bin/deno:/usr/bin/bun`.
 */
const runtimes = [
  process.execPath,
  ...(process.env.CLIENT_RUNTIMES?.split(':').filter((path) => path !== '') ?? []),
]
const argumentsOf = (runtime: string): string[] =>
  basename(runtime) === 'deno' ? ['run', '--allow-all', '--quiet'] : []

test.each(runtimes)('uploads, reads, hears events and watches changes in %s', async (runtime) => {
  await writeFile(
    join(app, 'consumer.js'),
    `import { connect, RefusedError } from '${NAME}'
     import { openFile } from '${NAME}/node'
     const { boards, changes, images, events, trash } = connect({ baseUrl: '${server.url}', openFile })
     const cats = await boards.createBoard('Cats')
     const { image_name } = await cats.uploadImage('cat.png')
     const opened = Promise.withResolvers()
     events.onState(({ phase }) => phase === 'open' && opened.resolve())
     const stop = events.listen(() => {})
     await opened.promise
     stop()
     const bytes = await cats.downloadImage(image_name)
     const refused = await images.move([image_name], 'unknown').catch((error) => error)
     const { new_state: since } = await changes.list()
     const watching = (async () => {
       for await (const { images } of changes.watch({ since }))
         if (images.updated.includes(image_name)) return true
     })()
     await new Promise((resolve) => setTimeout(resolve, 500))
     await trash.trashImages([image_name])
     console.log(await watching, bytes.length > 100, refused instanceof RefusedError, refused.code, await cats.getImageCount())`,
  )

  const said = await run(runtime, ...argumentsOf(runtime), 'consumer.js')

  expect(said).toBe('true true true board_not_found 0\n')
})

const examplesOf = (page: string): string[] =>
  [...readFileSync(join(projectRoot, page), 'utf8').matchAll(/```js\n(import.*?)```/gs)].map(
    ([, example = '']) => example,
  )

const firstExampleOf = (page: string): string => examplesOf(page)[0] ?? ''

it('runs the example of the documentation', async () => {
  const example = firstExampleOf('src/client/README.md')
  await writeFile(join(app, 'example.js'), example.replace('http://127.0.0.1:9091', server.url))

  expect(firstExampleOf('docs/client-library.md')).toBe(example)
  expect(await run(process.execPath, 'example.js')).toContain('Portraits: 1')
})

it('runs the example that mirrors a board to a folder', async () => {
  const example = examplesOf('src/client/README.md').find((text) => text.includes('mirror()')) ?? ''
  await writeFile(join(app, 'mirror.js'), example.replace('http://127.0.0.1:9091', server.url))
  const { boards, uploads, images } = server.client
  const { boardId } = await boards.createBoard('Mirrored')
  const upload = async () =>
    (await uploads.upload({ bytes: await drawFile('a.png') }, { boardId })).image_name
  const first = await upload()
  const folder = join(app, 'mirrored')

  const mirror = spawn(process.execPath, ['mirror.js', boardId, folder], { cwd: app })
  const files = () => readdir(folder).catch(() => [])
  try {
    await expect.poll(files, { timeout: 10_000 }).toEqual([first])
    const second = await upload()
    await images.delete([first])
    await expect.poll(files, { timeout: 10_000 }).toEqual([second])
  } finally {
    mirror.kill()
    await once(mirror, 'exit')
  }
})
