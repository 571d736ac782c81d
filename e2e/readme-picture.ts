import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { buildPage, pageFolder } from '#build/build-page.ts'
import { findOrInstallChromium } from '#build/chromium.ts'
import { startServer } from '#testing/server/start-server.ts'

/** Takes the README's screenshot of a demo library: `node e2e/readme-picture.ts`. */
await buildPage()
const server = await startServer({ pageFolder })
for await (const _ of server.client.server.fillDemoLibrary({ imageCount: 200 }));

const browser = await chromium.launch({
  executablePath: findOrInstallChromium().path,
  args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
})
const page = await browser.newPage({
  viewport: { width: 1280, height: 760 },
  deviceScaleFactor: 1.5,
})
await page.goto(server.url, { waitUntil: 'load' })
const tiles = page.getByRole('grid', { name: 'Images' }).getByRole('gridcell')
await tiles.nth(1).click()
await tiles.nth(8).click({ modifiers: ['ControlOrMeta'] })
await page.mouse.move(0, 0)
await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
await page.screenshot({
  path: join(import.meta.dirname, 'readme-picture.jpg'),
  type: 'jpeg',
  quality: 82,
})
await browser.close()
await server.close()
