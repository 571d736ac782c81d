import { execFileSync } from 'node:child_process'
import { connect } from '#client/index.ts'
import { drawFile } from '#testing/draw-file.ts'
import { ServerProcess } from '#testing/server-process.ts'
import { expect, test } from './fixtures.ts'

test('after a disk error the page says why changes wait, and sends them later', async ({
  page,
}) => {
  const server = await ServerProcess.start()
  const { images, uploads } = connect({ baseUrl: server.url })
  const { image_name } = await uploads.upload({ bytes: await drawFile('cat.png') })
  /** The system refuses writes behind this many bytes of a file. SQLite reports that as a disk error. */
  const limitFiles = (bytes: number | 'unlimited') =>
    execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:`])
  await page.goto(`${server.url}/?board=none`)

  limitFiles(4096)
  await page.getByRole('gridcell').first().click()
  await page.keyboard.press('s')

  await expect(page.getByText('Changes are not being saved.')).toBeVisible()
  await expect(page.getByText(/the disk reported an error/)).toBeVisible()
  limitFiles('unlimited')
  await expect(page.getByText('Changes are not being saved.')).toBeHidden({ timeout: 60_000 })
  await expect.poll(async () => (await images.get(image_name))?.starred).toBe(true)
  await server.close()
})
