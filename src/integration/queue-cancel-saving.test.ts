import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { graphOf } from '#testing/graph-of.ts'
import { startServer } from '#testing/server/start-server.ts'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import { openQueue } from './queue-server.ts'

const timeout = 40_000

/** A noise image of many megabytes, which takes a while to save. */
const large = graphOf(
  {
    blank: { type: 'blank_image', width: 1500, height: 1500, is_intermediate: true },
    noise: { type: 'img_noise', amount: 1, use_cache: false },
  },
  ['blank.image -> noise.image'],
)

test('leaves no image of an item that is canceled while it is saving @long', async () => {
  const dataFolder = await createTemporaryFolder()
  const queue = await openQueue({ dataFolder })
  const beingSaved = () => readdir(join(dataFolder, 'incoming'))
  const cancelWhileSaving = async () => {
    const [itemId = 0] = await queue.enqueue({ graph: large })
    await expect.poll(beingSaved, { interval: 5, timeout }).not.toEqual([])
    return queue.client.queue.cancel(itemId)
  }

  let item = await cancelWhileSaving()
  // On a busy machine the item may have ended before the cancel request.
  while (item?.status !== 'canceled') item = await cancelWhileSaving()
  await queue.close()

  const again = await startServer({ dataFolder })
  const { items } = await again.client.images.page(
    { isIntermediate: false },
    { offset: 0, limit: -1 },
  )
  expect(items.map(({ session_id }) => session_id)).not.toContain(item.session_id)
  await again.close()
  await removeFolder(dataFolder)
}, 120_000)
