import { type CDPSession, expect } from '@playwright/test'
import { dropFiles } from './fixtures/drop-files.ts'
import { pickUp } from './fixtures/pointer.ts'
import { test } from './fixtures.ts'

/** Number of repetitions that may not leave anything. */
const ROUNDS = 5

/** Number of repetitions after which what is left counts as never given back. */
const MAX_ROUNDS = 20

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
  const counts: Counts[] = []
  for (let round = 0; round < MAX_ROUNDS && !areBothBack(counts); round += 1) {
    for (const story of stories) await story()
    counts.push(await settledCountIn(session))
  }
  expect(areBothBack(counts), JSON.stringify(counts)).toBe(true)
})

interface Counts {
  nodes: number
  listeners: number
}

const areBothBack = (counts: readonly Counts[]): boolean =>
  isBack(counts.map(({ nodes }) => nodes)) && isBack(counts.map(({ listeners }) => listeners))

/**
 * True if a number is not higher than it was {@link ROUNDS} rounds or more before. The page keeps its last popup, menu or
 * card until another replaces it, and which one depends on the time that a round takes. What is never given back adds up.
 */
const isBack = (numbers: readonly number[]): boolean =>
  numbers.some((later, at) =>
    numbers.slice(0, Math.max(0, at + 1 - ROUNDS)).some((earlier) => later <= earlier),
  )

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
