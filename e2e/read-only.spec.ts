import { execFileSync } from 'node:child_process'
import { ServerProcess } from '#testing/server/server-process.ts'
import { test as base, expect } from './fixtures.ts'

const test = base.extend<{ process: ServerProcess }>({
  process: async ({ browserName: _ }, use) => {
    const process = await ServerProcess.start()
    await use(process)
    await process.close()
  },
  server: async ({ process }, use) => use(process),
})

test('explains after a disk error why changes wait, and sends them later', async ({
  api,
  gallery,
  page,
  process,
}) => {
  await api.uploadImage('cat.png')
  /** Makes the operating system refuse writes beyond this file size. SQLite reports that as a disk error. */
  const limitFiles = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
  await gallery.open({ board: 'none' })

  await gallery.image('cat.png').click()
  limitFiles(4096)
  await page.keyboard.press('s')

  await expect(page.getByText('Changes are not being saved.')).toBeVisible()
  await expect(page.getByText(/the disk reported an error/)).toBeVisible()
  limitFiles('unlimited')
  await expect(page.getByText('Changes are not being saved.')).toBeHidden({ timeout: 60_000 })
  await expect.poll(async () => (await api.imagesOn())[0]?.starred).toBe(true)
})
