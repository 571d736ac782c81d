import type { Page } from '@playwright/test'
import type { TesseraClient } from '#client/connect.ts'
import { type Figure, median } from './figures.ts'
import { seenAt } from './generation-news.ts'
import * as probe from './generations-probe.ts'

/** From a move in one tab to the others, and from the closing of the one that leads to the next socket (product P20). */
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
    await first.getByRole('combobox').fill('Bench')
    await first.getByRole('option', { name: /Bench/ }).first().waitFor()
    const gone = others.map((tab) => seenAt(tab, probe.goneAt, name ?? ''))
    const at = Date.now()
    await first.keyboard.press('Enter')
    moves.push(Math.max(...(await Promise.all(gone))) - at)
  }
  const takenOver = await measureTakeOver(tabs)
  await client.boards.deleteBoard(board.boardId)
  return [
    { name: 'a move in the other tabs', value: median(moves), unit: 'ms', mark: '500' },
    { name: 'another socket after the leader closed', value: takenOver, unit: 'ms', mark: '3,000' },
  ]
}

/** Closes the tab that holds the socket: the first one, which asked for it before the others were there. */
async function measureTakeOver([leader, ...others]: readonly Page[]): Promise<number> {
  const opened = Promise.any(
    others.map((tab) => tab.waitForEvent('websocket', { timeout: 60_000 }).then(() => Date.now())),
  )
  const at = Date.now()
  await leader?.close()
  return (await opened) - at
}
