import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { buildClientModules } from '#build/client-package/build-client-package.ts'
import type * as library from '#client/index.ts'
import { drawFile } from '#testing/library/draw-file.ts'
import { type RunningServer, startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'

type Library = typeof library

// URL from which the page imports the library: the modules of the package, without a bundler.
const MODULE = '/client-library/index.js'

let server: RunningServer
let outDir: string

test.beforeAll(async () => {
  server = await startServer()
  outDir = await createTemporaryFolder()
  await buildClientModules(outDir)
})

test.afterAll(async () => {
  await server.close()
  await removeFolder(outDir)
})

test.beforeEach(async ({ page }) => {
  await page.route('**/client-library/*.js', async (route) => {
    const body = await readFile(join(outDir, basename(new URL(route.request().url()).pathname)))
    await route.fulfill({ contentType: 'text/javascript', body })
  })
  await page.route('**/empty', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  )
  await page.goto(`${server.url}/empty`)
})

/** Puts drawn files into a file input, as if the user had chosen them. */
const giveFiles = async (page: Page, ...fileNames: string[]) => {
  const input = await page.evaluateHandle(() =>
    document.body.appendChild(
      Object.assign(document.createElement('input'), { type: 'file', multiple: true }),
    ),
  )
  const files = await Promise.all(fileNames.map((name) => drawFile(name)))
  const payloads = files.map(async (file) => ({
    name: file.name,
    mimeType: file.type,
    buffer: Buffer.from(await file.arrayBuffer()),
  }))
  await input.asElement()?.setInputFiles(await Promise.all(payloads))
}

test('reports the progress of an upload in a browser', async ({ page }) => {
  await giveFiles(page, 'progress.png')

  const result = await page.evaluate(async (module) => {
    const { connect }: Library = await import(module)
    const [file = new File([], '')] = document.querySelector('input')?.files ?? []
    const progress: library.UploadProgress[] = []
    const onProgress = (one: library.UploadProgress) => progress.push(one)
    const image = await connect({ baseUrl: '' }).uploads.upload({ bytes: file }, { onProgress })
    return { last: progress.at(-1), fileName: image.file_name }
  }, MODULE)

  expect(result.fileName).toBe('progress.png')
  expect(result.last?.sentBytes).toBeGreaterThan(0)
  expect(result.last?.sentBytes).toBe(result.last?.totalBytes)
})

test('yields the lines of a batch in a browser and can be stopped early', async ({ page }) => {
  await giveFiles(page, 'one.png', 'two.jpg', 'three.webp')

  const result = await page.evaluate(async (module) => {
    const { connect }: Library = await import(module)
    const { uploads } = connect({ baseUrl: '' })
    const chosen = [...(document.querySelector('input')?.files ?? [])]
    const files = chosen.map((bytes) => ({ bytes }))
    const names: (string | null)[] = []
    const onProgress = () => {}
    for await (const line of uploads.uploadBatch(files, { onProgress })) names.push(line.file_name)
    for await (const _ of uploads.uploadBatch(files, { onProgress })) break
    return names.toSorted()
  }, MODULE)

  expect(result).toEqual(['one.png', 'three.webp', 'two.jpg'])
})

/** Starts a website that contains the library. A routed page may not send requests to this machine. */
const startWebsite = async () => {
  const website = createServer(async ({ url = '/' }, response) => {
    const isScript = url.endsWith('.js')
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? await readFile(join(outDir, basename(url))) : '<!doctype html>')
  })
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
  return { website, origin: `http://127.0.0.1:${(website.address() as AddressInfo).port}` }
}

test('uses a server of another origin that allows it', async ({ page }) => {
  const { website, origin } = await startWebsite()
  const allowing = await startServer({ allowedOrigins: [origin] })
  await page.unrouteAll()
  await page.goto(origin)
  await giveFiles(page, 'other.png')

  const result = await page.evaluate(
    async ({ module, refusingUrl, allowingUrl }) => {
      const { connect }: Library = await import(module)
      const [bytes = new File([], '')] = document.querySelector('input')?.files ?? []
      const refused = await connect({ baseUrl: refusingUrl })
        .boards.listBoards()
        .catch((error: Error) => error.message)
      const client = connect({ baseUrl: allowingUrl, origin: 'website' })
      const { boards, changes, uploads, images, events } = client
      const { new_state: since } = await changes.list()
      const opened = new Promise<string>((resolve) => {
        events.onState(({ phase }) => phase === 'open' && resolve(phase))
        events.listen(() => {})
      })
      const { boardId } = await boards.createBoard('Portraits')
      const { image_name } = await uploads.upload({ bytes }, { boardId, onProgress: () => {} })
      const unknown = await images.move([image_name], 'unknown').catch((error) => error.code)
      await images.delete([image_name])
      const { value: watched } = await changes.watch({ since }).next()
      const others = await changes.list({ since, exceptOrigin: 'website' })
      const changed = [watched, others].map((list) => list?.boards.created.length)
      return { refused, unknown, phase: await opened, changed, foreign: others.images }
    },
    { module: MODULE, refusingUrl: server.url, allowingUrl: allowing.url },
  )

  expect(result).toEqual({
    refused: expect.stringContaining(`--allow-origin ${origin}?`),
    unknown: 'board_not_found',
    phase: 'open',
    changed: [1, 0],
    foreign: { created: [], updated: [], destroyed: [] },
  })
  await allowing.close()
  website.closeAllConnections()
  website.close()
})

test('refuses, aborts and interrupts uploads in a browser as with fetch', async ({ page }) => {
  const result = await page.evaluate(async (module) => {
    const { connect }: Library = await import(module)
    const { uploads } = connect({ baseUrl: '' })
    const nowhere = connect({ baseUrl: 'http://127.0.0.1:9' }).uploads
    const nameOf = (error: unknown) => (error instanceof Error ? error.name : String(error))
    const options = { onProgress: () => {} }
    const text = { bytes: new File(['text'], 'text.png', { type: 'image/png' }) }
    const giveUp = new AbortController()
    const large = { bytes: new File([new Uint8Array(5_000_000)], 'large.png') }
    const given = uploads.upload(large, {
      signal: giveUp.signal,
      onProgress: () => giveUp.abort('enough'),
    })
    return Promise.all([
      uploads.upload(text, options).catch(nameOf),
      given.catch(nameOf),
      nowhere.upload(text, options).catch(nameOf),
    ])
  }, MODULE)

  expect(result).toEqual(['RefusedError', 'enough', 'ConnectionError'])
})
