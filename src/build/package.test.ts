import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '#client/index.ts'
import { graphOf } from '#testing/graph-of.ts'
import { enlargingOnnx } from '#testing/models/onnx-file.ts'
import { ServerProcess } from '#testing/server/server-process.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { projectRoot } from './project-root.ts'

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))

let folder = ''
let app = ''
let server: ServerProcess

/** Runs a program with the current Node first in the path, and returns its output. */
const run = async (program: string, args: string[], cwd = app): Promise<string> => {
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH, NODE_ENV: 'production' }
  return (await promisify(execFile)(program, args, { cwd, env })).stdout
}

/**
 * Makes an empty folder depend on the package with this project's locked versions. They are in npm's cache,
 * so that the test needs no network and no later release can break it.
 */
const dependOn = async (tarball: string): Promise<void> => {
  const lock = JSON.parse(await readFile(join(projectRoot, 'package-lock.json'), 'utf8'))
  const { '': _, ...packages } = lock.packages as Record<string, { dev?: boolean }>
  const { version, bin, dependencies: ours } = manifest
  const dependencies = { [manifest.name]: `file:../${tarball}` }
  const needed = Object.entries(packages).filter(([, { dev = false }]) => !dev)
  const installed = { version, bin, dependencies: ours, resolved: dependencies[manifest.name] }
  await writeFile(
    join(app, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
  await writeFile(
    join(app, 'package-lock.json'),
    JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { dependencies },
        'node_modules/tessera-gallery': installed,
        ...Object.fromEntries(needed),
      },
    }),
  )
}

beforeAll(async () => {
  folder = await createTemporaryFolder()
  app = join(folder, 'app')
  await mkdir(app)
  await run('npm', ['pack', '--pack-destination', folder], projectRoot)
  const [tarball = ''] = globSync('*.tgz', { cwd: folder })
  await dependOn(tarball)
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'])
  const models = join(folder, 'models')
  await mkdir(models)
  await writeFile(join(models, 'up.onnx'), enlargingOnnx())
  const mainFile = join(app, 'node_modules/.bin/tessera')
  server = await ServerProcess.start({ mainFile, flags: ['--models', models] })
}, 180_000)

afterAll(async () => {
  await server?.close()
  await removeFolder(folder)
})

it('contains build output and no sources', async () => {
  const installed = join(app, 'node_modules/tessera-gallery')

  expect(await readdir(installed)).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  const modules = globSync('dist/server/**/*.{js,ts}', { cwd: installed })
  const texts = await Promise.all(modules.map((file) => readFile(join(installed, file), 'utf8')))
  expect(modules.filter((_, index) => /(from|import\() *['"]#/.test(texts[index] ?? ''))).toEqual(
    [],
  )
})

it('contains a Brotli and a gzip file of each script, style and page', () => {
  const cwd = join(app, 'node_modules/tessera-gallery/dist/page')
  const texts = globSync('**/*.{js,css,html}', { cwd })
  const compressed = new Set(globSync('**/*.{br,gz}', { cwd }))

  expect(texts.length).toBeGreaterThan(3)
  expect(texts.filter((file) => !compressed.has(`${file}.br`))).toEqual([])
  expect(texts.filter((file) => !compressed.has(`${file}.gz`))).toEqual([])
})

it('installs the command tessera', async () => {
  const said = await run(join(app, 'node_modules/.bin/tessera'), ['--version'])

  expect(said).toContain(manifest.version)
})

it('serves the page, the guide and the API', async () => {
  const page = await fetch(`${server.url}/`)
  const guide = await fetch(`${server.url}/help/index.html`)
  const boards = await fetch(`${server.url}/api/v1/boards/?all=true`)

  expect(await page.text()).toContain('<title>Tessera')
  expect(await guide.text()).toContain('<a href="troubleshooting.html">Troubleshooting</a>')
  expect(await boards.json()).toEqual([])
})

it('serves the scripts of the page', async () => {
  const page = await (await fetch(`${server.url}/`)).text()
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? []

  const answer = await fetch(new URL(script, server.url))

  expect(answer.headers.get('content-type')).toContain('javascript')
})

it('runs in front of another server with its own page', async () => {
  const mainFile = join(app, 'node_modules/.bin/tessera')
  const front = await ServerProcess.start({ mainFile, flags: ['--upstream', server.url] })
  const ask = async (url: string, path: string) => (await fetch(`${url}${path}`)).text()
  const list = '/api/v1/boards/?all=true'
  const { upstream } = (await connect({ baseUrl: front.url }).server.capabilities()).front ?? {}

  expect(await ask(front.url, '/')).toContain('<title>Tessera')
  expect(await ask(front.url, list)).toBe(await ask(server.url, list))
  expect(upstream).toBe(server.url)
  await front.close()
})

it('runs a graph and serves its result', async () => {
  const { queue } = connect({ baseUrl: server.url })
  const color = { r: 255, g: 0, b: 0, a: 255 }
  const blank = { type: 'blank_image', width: 8, height: 4, mode: 'RGB', color }

  const { item_ids } = await queue.enqueue({ graph: graphOf({ blank }) })
  const item = () => queue.item(item_ids[0] ?? 0)
  await expect.poll(item, { timeout: 30_000 }).toMatchObject({ status: 'completed' })
  const results = Object.values((await item())?.session.results ?? {})
  expect(results).toEqual([expect.objectContaining({ type: 'image_output', width: 8, height: 4 })])
  const [image] = results.map((result) => result.image as { image_name: string })

  const picture = await fetch(`${server.url}/api/v1/images/i/${image?.image_name}/full`)
  expect(picture.headers.get('content-type')).toBe('image/png')
  const { channels } = await sharp(await picture.arrayBuffer()).stats()
  expect(channels.map(({ mean }) => mean)).toEqual([255, 0, 0])
})

it('lists models without ONNX Runtime and explains how to install it when a model is loaded', async () => {
  expect(await readdir(join(app, 'node_modules'))).not.toContain('onnxruntime-node')
  const { models } = connect({ baseUrl: server.url })
  const [up] = await models.list({ modelName: 'up' })

  await expect(models.load(up?.key ?? '')).rejects.toMatchObject({
    code: 'model_runtime_missing',
    message: expect.stringContaining('npm i onnxruntime-node'),
  })
})

it('has types of the server', async () => {
  await writeFile(
    join(app, 'consumer.ts'),
    `import { createServer } from 'tessera-gallery/server'
     const server = await createServer({ dataFolder: 'data' })
     const address: string = server.address
     // @ts-expect-error A folder is required
     await createServer({})
     console.log(address)`,
  )
  const tsc = join(projectRoot, 'node_modules/typescript/bin/tsc')
  const types = join(projectRoot, 'node_modules/@types')
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2024', '--noEmit']

  const said = await run(process.execPath, [
    ...[tsc, ...options, '--skipLibCheck', '--typeRoots', types, '--types', 'node'],
    'consumer.ts',
  ]).catch((error: { stdout: string }) => error.stdout)

  expect(said).toBe('')
})

it('starts a server from a program', async () => {
  await writeFile(
    join(app, 'embed.js'),
    `import { createServer } from 'tessera-gallery/server'
     const server = await createServer({ dataFolder: 'embedded' })
     const answer = await server.app.inject('/api/v1/boards/?all=true')
     console.log(answer.body)
     await server.close()`,
  )

  expect(await run(process.execPath, ['embed.js'])).toBe('[]\n')
})
