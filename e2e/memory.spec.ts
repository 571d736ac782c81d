import { type CDPSession, expect } from '@playwright/test'
import { dropFiles } from './fixtures/drop-files.ts'
import { pickUp } from './fixtures/pointer.ts'
import { test } from './fixtures.ts'

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
  await play(2)
  const before = await countIn(session)
  await play(ROUNDS)

  // A part that is fading out and a request that is under way have nodes and listeners for a moment.
  const added = async () => {
    const after = await countIn(session)
    return {
      nodes: Math.max(0, after.nodes - before.nodes),
      listeners: Math.max(0, after.listeners - before.listeners),
    }
  }
  await expect.poll(added).toEqual({ nodes: 0, listeners: 0 })
})

async function countIn(session: CDPSession): Promise<{ nodes: number; listeners: number }> {
  await session.send('HeapProfiler.collectGarbage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { nodes, listeners: jsEventListeners }
}
