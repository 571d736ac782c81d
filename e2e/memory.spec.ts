import { type CDPSession, expect } from '@playwright/test'
import { dropFiles } from './fixtures/drop-files.ts'
import { pickUp } from './fixtures/pointer.ts'
import { test } from './fixtures.ts'

/** Number of repetitions after which the page has all that it keeps, such as the last menu that was closed. */
const WARM_UP = 8

/** Number of repetitions that may not leave anything. */
const ROUNDS = 5

test('keeps no nodes and listeners of viewers, menus, boards, dialogs, drags and uploads', async ({
  api,
  gallery,
  page,
}) => {
  test.slow()
  await api.createBoard('Portraits')
  await api.uploadImages(['a.png', 'b.png'])
  await gallery.open()
  const [known] = await gallery.drawFiles(['b.png'])
  const stories = [
    async () => {
      await gallery.image('b.png').dblclick()
      await expect(gallery.viewer).toContainText('1 of 2')
      await page.keyboard.press('Escape')
      await expect(gallery.viewer).toBeHidden()
    },
    async () => {
      await gallery.image('b.png').click({ button: 'right' })
      await page.getByRole('menuitem').first().waitFor()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menu')).toBeHidden()
    },
    async () => {
      await gallery.openBoard('Portraits')
      await gallery.openBoard('All images')
      await expect(gallery.tiles).toHaveCount(2)
    },
    async () => {
      await gallery.openViewOptions()
      await page.keyboard.press('Escape')
      await expect(gallery.viewOptions).toBeHidden()
    },
    async () => {
      await pickUp(page, gallery.image('b.png'))
      await page.keyboard.press('Escape')
      await page.mouse.up()
    },
    async () => {
      await dropFiles([known ?? ''], page.getByRole('main'))
      await gallery.tray.getByRole('button', { name: 'Skip b.png' }).click()
      await expect(gallery.tray).toBeHidden()
    },
  ]
  const session = await page.context().newCDPSession(page)
  const play = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) for (const story of stories) await story()
  }
  await play(WARM_UP)
  // The counts of two rounds differ by a few nodes, up and down. What is never given back adds up with each round.
  const before = { nodes: Number.POSITIVE_INFINITY, listeners: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 3; round += 1) {
    await play(1)
    lower(before, await settledCountIn(session))
  }
  await play(ROUNDS)
  const after = { nodes: Number.POSITIVE_INFINITY, listeners: Number.POSITIVE_INFINITY }
  const added = async () => {
    await play(1)
    lower(after, await settledCountIn(session))
    return {
      nodes: Math.max(0, after.nodes - before.nodes),
      listeners: Math.max(0, after.listeners - before.listeners),
    }
  }
  await expect.poll(added).toEqual({ nodes: 0, listeners: 0 })
})

interface Counts {
  nodes: number
  listeners: number
}

/** Lowers counts to those of another moment. */
function lower(lowest: Counts, { nodes, listeners }: Counts): void {
  lowest.nodes = Math.min(lowest.nodes, nodes)
  lowest.listeners = Math.min(lowest.listeners, listeners)
}

/** Counts once nothing changes any more: parts that fade out and requests under way have nodes and listeners too. */
async function settledCountIn(session: CDPSession): Promise<Counts> {
  let counts = await countIn(session)
  await expect
    .poll(
      async () => {
        const earlier = counts
        counts = await countIn(session)
        return counts.nodes === earlier.nodes && counts.listeners === earlier.listeners
      },
      { intervals: [500] },
    )
    .toBe(true)
  return counts
}

async function countIn(session: CDPSession): Promise<Counts> {
  await session.send('HeapProfiler.collectGarbage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { nodes, listeners: jsEventListeners }
}
