import { rename } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createServer } from '#server/index.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { type Api, openApi } from './open-api.ts'

const NAMES = '/api/v1/images/names'

const codeOf = async (api: Api, method: string, path: string) => {
  const { status, headers } = await api.send(method, path)
  return [status, headers.get('x-refusal-code')]
}

/** Moves a folder, as if its drive was pulled out, until the test moves it back. */
const takeAway = async (folder: string) => {
  const elsewhere = `${folder}-elsewhere`
  await rename(folder, elsewhere)
  return { elsewhere, putBack: () => rename(elsewhere, folder) }
}

const away = [503, 'library_away']

test('refuses requests with the reason while the data folder is away, and continues when it is back', async () => {
  const api = await openApi()
  onTestFinished(() => api.close())
  const { image_name } = await api.makeImage('cat.png')

  const { putBack } = await takeAway(api.dataFolder)
  expect(await codeOf(api, 'GET', NAMES)).toEqual(away)
  await expect.poll(() => codeOf(api, 'GET', `/api/v1/images/i/${image_name}`)).toEqual(away)
  expect(await codeOf(api, 'POST', '/api/v1/boards/?board_name=A')).toEqual(away)
  expect(await codeOf(api, 'GET', '/api/v1/app/library')).toEqual(away)
  expect(await codeOf(api, 'GET', '/api/v1/app/version')).toEqual([200, null])
  expect((await api.send('GET', '/api/v1/ready')).body).toMatchObject({ status: 'not_ready' })
  const { body: health } = await api.send('GET', '/api/v1/health')
  expect(health).toMatchObject({ status: 'away', detail: expect.stringContaining('drive') })
  await putBack()

  await expect.poll(() => codeOf(api, 'GET', NAMES), { timeout: 5_000 }).toEqual([200, null])
  await api.makeImage('dog.png')
  expect((await api.send('GET', NAMES)).body).toMatchObject({ total_count: 2 })
})

test('does not continue with another library, and stops while its own is away', async () => {
  const [api, other] = [await openApi(), await createTemporaryFolder()]
  await (await createServer({ dataFolder: other })).close()
  const { elsewhere, putBack } = await takeAway(api.dataFolder)
  onTestFinished(() => removeFolder(elsewhere))
  await expect.poll(() => codeOf(api, 'GET', '/api/v1/boards/?all=true')).toEqual(away)

  await rename(other, api.dataFolder)
  await new Promise((passed) => setTimeout(passed, 1_500))

  expect(await codeOf(api, 'GET', '/api/v1/boards/?all=true')).toEqual(away)
  await rename(api.dataFolder, other)
  await api.close()
  await putBack()
  const again = await createServer({ dataFolder: api.dataFolder })
  await again.close()
  await removeFolder(api.dataFolder)
  await removeFolder(other)
})
