import { MAX_PENDING_ITEMS } from '#contract/queue/queue.ts'
import { REFUSAL_CODE_HEADER, refusals } from '#contract/refusal.ts'
import { graphOf } from '#testing/graph-of.ts'
import { openProcess, RESULT_TIMEOUT } from './fixtures/open-process.ts'
import { expect, test } from './fixtures.ts'

// The timeout includes starting the server and filling the library.
test.describe.configure({ timeout: 180_000 })

test.beforeEach(async ({ api }) => {
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png', 'c.png'], { board: 'Portraits' })
})

test('names images that were deleted meanwhile and keeps the chain for another try', async ({
  api,
  gallery,
}) => {
  const castles = await api.createBoard('Castles')
  await gallery.open({ board: 'Portraits' })
  const { dialog, addStep } = await openProcess(gallery)
  await addStep('Blur')
  await dialog.getByLabel('Results go to').selectOption('Castles')
  await api.client.boards.deleteBoard(castles.boardId)
  const [newest] = await api.imagesOn('Portraits')
  await api.client.images.delete([newest?.image_name ?? ''])

  const chosen = dialog.getByLabel('Results go to').getByRole('option', { selected: true })
  await expect(chosen).toHaveText('Choose a board')
  await dialog.getByRole('button', { name: 'Process 3 images' }).click()

  await expect(dialog.getByRole('alert')).toHaveText(
    'Nothing was started. The chosen board no longer exists. Choose another one.',
  )
  await dialog.getByLabel('Results go to').selectOption('Portraits')
  await dialog.getByRole('button', { name: 'Process 3 images' }).click()
  const toast = gallery.toast('Processing 2 images, results go to Portraits')
  await expect(toast).toContainText('1 of 3 images no longer exists.')
  await expect.poll(async () => (await api.imagesOn('Portraits')).length, RESULT_TIMEOUT).toBe(4)
})

test('reports a full queue and a full disk, and accepts the same chain later', async ({
  api,
  gallery,
  page,
}) => {
  await api.client.queue.pause()
  const integer = graphOf({ n: { type: 'integer', value: 1 } })
  await api.client.queue.enqueue({ graph: integer, runs: MAX_PENDING_ITEMS })
  await gallery.open({ board: 'Portraits' })
  const { dialog, addStep } = await openProcess(gallery)
  await addStep('Color mode')
  const process = dialog.getByRole('button', { name: 'Process 3 images' })
  const refusal = dialog.getByRole('alert').filter({ hasText: 'Nothing was started' })

  await process.click()
  await expect(refusal).toHaveText(
    'Nothing was started. The queue is full (10,000 items). Try again when some have finished.',
  )
  await api.client.queue.clear()

  // Only root can fill a disk for a test. This is the server's answer, which its own tests verify.
  const { status, detail } = refusals.disk_full
  await page.route('**/enqueue_batch', (route) =>
    route.fulfill({
      status,
      headers: { [REFUSAL_CODE_HEADER]: 'disk_full' },
      json: { detail },
    }),
  )
  await process.click()
  await expect(refusal).toHaveText(
    'Nothing was started. The disk that holds the library is full. Free some space and try again.',
  )
  await page.unroute('**/enqueue_batch')

  await process.click()
  await expect(dialog).toBeHidden()
  await api.client.queue.resume()
  await expect.poll(async () => (await api.imagesOn('Portraits')).length, RESULT_TIMEOUT).toBe(6)
})
