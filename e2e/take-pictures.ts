import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { findOrInstallChromium } from '#build/browsers.ts'
import { buildPage, pageFolder } from '#build/build-page.ts'
import { projectRoot } from '#build/project-root.ts'
import { startServer } from '#testing/server/start-server.ts'

/** Takes the pictures of the README from a demo library: `npm run update:pictures`. */
const folder = join(projectRoot, 'docs/pictures')
await mkdir(folder, { recursive: true })
await buildPage()
const server = await startServer({ pageFolder })
for await (const _ of server.client.server.fillDemoLibrary({ imageCount: 200 }));
const browser = await chromium.launch({
  executablePath: findOrInstallChromium().path,
  args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
})

const desktop = { viewport: { width: 1280, height: 760 }, deviceScaleFactor: 1.5 }
const phone = {
  viewport: { width: 390, height: 780 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
}

await take('grid', { ...desktop, colorScheme: 'light' }, async (page) => {
  await tilesOf(page).nth(1).click()
  await tilesOf(page)
    .nth(8)
    .click({ modifiers: ['ControlOrMeta'] })
})
await take('viewer', { ...desktop, colorScheme: 'dark' }, async (page) => {
  await tilesOf(page).nth(4).dblclick()
  const viewer = page.getByRole('dialog')
  await viewer.getByRole('img').first().waitFor()
  if (!(await viewer.getByText('Prompt', { exact: true }).isVisible()))
    await page.keyboard.press('i')
  await viewer.getByText('Prompt', { exact: true }).waitFor()
})
await take('phone', { ...phone, colorScheme: 'dark' }, async () => {})

await browser.close()
await server.close()

function tilesOf(page: Page) {
  return page.getByRole('grid', { name: 'Images' }).getByRole('gridcell')
}

async function take(
  name: string,
  options: BrowserContextOptions,
  prepare: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage({ ...options, reducedMotion: 'reduce', locale: 'en-US' })
  await page.goto(server.url, { waitUntil: 'load' })
  // Belongs to what loads after the images.
  await page.getByRole('button', { name: 'Add images' }).waitFor()
  await prepare(page)
  // The controls of the viewer stay while the pointer moves. Nothing is hovered at the corner.
  await page.mouse.move(0, 0)
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0),
  )
  const { bytes } = await sharp(await page.screenshot())
    .webp({ quality: 82 })
    .toFile(join(folder, `${name}.webp`))
    .then(({ size }) => ({ bytes: size }))
  console.log(`docs/pictures/${name}.webp: ${Math.round(bytes / 1000)} kB`)
  await page.close()
}
