import type { Page } from '@playwright/test'
import { type Figure, median } from '#bench/figures.ts'
import type { TesseraClient } from '#client/connect.ts'
import { seenAt } from './generation-events.ts'
import * as probe from './generations-probe.ts'

/**
 * Measures the time from a move in one tab to its effect in others, and from the closing of the leading tab
 * to the next socket.
 */
export async function measureTabs(
  client: TesseraClient,
  tabs: readonly Page[],
  repeat: number,
): Promise<Figure[]> {
  const [first, ...others] = tabs
  if (first === undefined) return []
  const board = await client.boards.createBoard('Bench')
  await Promise.all(tabs.map((tab) => tab.evaluate(() => window.dispatchEvent(new Event('focus')))))
  await first.getByRole('link', { name: 'Bench', exact: true }).waitFor()
  const moves: number[] = []
  for (let run = 0; run < repeat; run += 1) {
    const tile = first.getByRole('grid', { name: 'Images' }).getByRole('gridcell').nth(2)
    await tile.click()
    const name = await tile.getAttribute('data-name')
    await first.keyboard.press('m')
    await first.getByRole('dialog').getByRole('combobox').fill('Bench')
    await first.getByRole('option', { name: /Bench/ }).first().waitFor()
    const gone = others.map((tab) => seenAt(tab, probe.goneAt, name ?? ''))
    const at = Date.now()
    await first.keyboard.press('Enter')
    moves.push(Math.max(...(await Promise.all(gone))) - at)
  }
  const changes = await measureChanges(first, others, repeat)
  const takeOverMs = await measureTakeOver(tabs)
  await client.boards.deleteBoard(board.boardId)
  return [
    { name: 'a move in the other tabs', value: median(moves), unit: 'ms', mark: '500' },
    ...changes,
    {
      name: 'another socket after the leader closed',
      value: takeOverMs,
      unit: 'ms',
      mark: '3,000',
    },
  ]
}

/** Measures the time from a star, a deletion and its undo in one tab to their effect in the others. */
async function measureChanges(
  first: Page,
  others: readonly Page[],
  repeat: number,
): Promise<Figure[]> {
  const times = { star: [] as number[], deletion: [] as number[], undo: [] as number[] }
  for (let run = 0; run < repeat; run += 1) {
    // The first tiles may be starred, and starred images come first.
    const tile = first.locator('[role=gridcell]:not(:has([aria-label="Unstar"]))').nth(2)
    const name = (await tile.getAttribute('data-name')) ?? ''
    const timeOf = async (
      look: (imageName: string) => number | false,
      change: () => Promise<void>,
    ): Promise<number> => {
      const seen = others.map((tab) => seenAt(tab, look, name))
      const at = Date.now()
      await change()
      return Math.max(...(await Promise.all(seen))) - at
    }
    await tile.hover()
    const star = tile.getByRole('button', { name: 'Star' })
    times.star.push(await timeOf(probe.starredAt, () => star.click()))
    const starred = first.locator(`[data-name="${name}"]`)
    await starred.click({ modifiers: ['ControlOrMeta'] })
    times.deletion.push(await timeOf(probe.goneAt, () => first.keyboard.press('Delete')))
    times.undo.push(await timeOf(probe.shownAt, () => first.keyboard.press('ControlOrMeta+z')))
    await first.keyboard.press('Escape')
  }
  const figureOf = (name: string, values: number[]): Figure => ({
    name: `${name} in the other tabs`,
    value: median(values),
    unit: 'ms',
    mark: '500',
  })
  return [
    figureOf('a star', times.star),
    figureOf('a deletion', times.deletion),
    figureOf('an undo', times.undo),
  ]
}

/** Closes the tab that owns the socket: the first one, which requested it before the others existed. */
async function measureTakeOver([leader, ...others]: readonly Page[]): Promise<number> {
  const opened = Promise.any(
    others.map((tab) => tab.waitForEvent('websocket', { timeout: 60_000 }).then(() => Date.now())),
  )
  const at = Date.now()
  await leader?.close()
  return (await opened) - at
}
