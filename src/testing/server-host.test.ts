import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServerHost } from './server-host.ts'
import { createTemporaryFolder, removeFolder } from './temporary-folder.ts'

let host: ServerHost
let folder: string

beforeEach(async () => {
  host = new ServerHost()
  folder = await createTemporaryFolder()
})

afterEach(async () => {
  await host.close()
  await removeFolder(folder)
})

test('one server after another runs in it, each with its flags, and keeps its address', async () => {
  const first = await host.open(folder, ['--token', 'secret'])
  await first.restart()
  const guarded = await fetch(`${first.url}/api/v1/boards/?all=true`)
  await first.close()
  const second = await host.open(folder, [])
  const open = await fetch(`${second.url}/api/v1/boards/?all=true`)

  expect([guarded.status, open.status]).toEqual([401, 200])
})

test('what a server cannot start with is said, and the next one starts', async () => {
  await expect(host.open(folder, ['--port', '99999'])).rejects.toThrow('port')

  const { url } = await host.open(folder, [])

  expect((await fetch(`${url}/api/v1/boards/?all=true`)).status).toBe(200)
})
