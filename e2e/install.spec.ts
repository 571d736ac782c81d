import { expect, test } from './fixtures.ts'

test.use({ libraryOf: 60 })

test('the first load is a few scripts and at most 350 kB besides the pictures', async ({
  gallery,
  page,
}) => {
  await page.goto('/')
  await expect(gallery.tiles.first()).toBeVisible()

  const load = await page.evaluate(() => {
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ] as PerformanceResourceTiming[]
    // Lazy parts follow at least four seconds after the start.
    const first = entries.filter(
      ({ startTime, initiatorType }) => startTime < 4000 && initiatorType !== 'img',
    )
    return {
      scripts: first.filter(({ name }) => name.endsWith('.js')).length,
      transferred: first.reduce((sum, { transferSize }) => sum + transferSize, 0),
    }
  })

  expect(load.scripts).toBeGreaterThan(1)
  expect(load.scripts).toBeLessThan(10)
  expect(load.transferred).toBeGreaterThan(100_000)
  expect(load.transferred).toBeLessThanOrEqual(350_000)
})
