import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { type Board, uncategorizedBoard } from '#client/index.ts'
import { BoardCache, boardKeys } from './board-cache.ts'

const board = (board_id: string, image_count = 0): Board => ({
  ...uncategorizedBoard(image_count),
  board_id,
  board_name: board_id,
})

/** Creates an observed cache of a server whose boards the test can change. */
async function setUp(server: { boards: Board[]; uncategorized: number }) {
  const client = new QueryClient()
  const cache = new BoardCache(client)
  const ask = async () => {
    await client.fetchQuery({
      queryKey: boardKeys.list(),
      queryFn: () => cache.boards.fetch(async () => server.boards),
    })
    await client.fetchQuery({
      queryKey: boardKeys.uncategorizedCount(),
      queryFn: () => cache.uncategorizedCount.fetch(async () => server.uncategorized),
    })
  }
  await ask()
  const shown = () => ({
    counts: Object.fromEntries(
      (client.getQueryData<Board[]>(boardKeys.list()) ?? []).map((one) => [
        one.board_id,
        one.image_count,
      ]),
    ),
    uncategorized: client.getQueryData(boardKeys.uncategorizedCount()),
  })
  return { cache, ask, shown }
}

const moveTwoToA = {
  counts: new Map([
    ['none', -2],
    ['a', 2],
  ]),
}

test('shows a move in the counts at once and rolls it back', async () => {
  const { cache, shown } = await setUp({ boards: [board('a', 1)], uncategorized: 5 })

  const takeBack = cache.edit(moveTwoToA)
  expect(shown()).toEqual({ counts: { a: 3 }, uncategorized: 3 })
  takeBack()

  expect(shown()).toEqual({ counts: { a: 1 }, uncategorized: 5 })
})

test('keeps a change when an answer from before it arrives', async () => {
  const { cache, ask, shown } = await setUp({ boards: [board('a', 1)], uncategorized: 5 })

  cache.edit(moveTwoToA)
  await ask()

  expect(shown()).toEqual({ counts: { a: 3 }, uncategorized: 3 })
})

test('uses an answer from after the change', async () => {
  const server = { boards: [board('a', 1)], uncategorized: 5 }
  const { cache, ask, shown } = await setUp(server)

  cache.edit(moveTwoToA).settle()
  server.boards = [board('a', 3)]
  server.uncategorized = 3
  await ask()

  expect(shown()).toEqual({ counts: { a: 3 }, uncategorized: 3 })
})

test('does not roll back a confirmed change', async () => {
  const { cache, shown } = await setUp({ boards: [board('a', 1)], uncategorized: 5 })

  const takeBack = cache.edit(moveTwoToA)
  takeBack.settle()
  takeBack()

  expect(shown()).toEqual({ counts: { a: 3 }, uncategorized: 3 })
})

test('rolls back one change without the others', async () => {
  const { cache, shown } = await setUp({ boards: [board('a', 1), board('b')], uncategorized: 5 })

  const first = cache.edit(moveTwoToA)
  cache.edit({ boards: (boards) => boards.filter(({ board_id }) => board_id !== 'b') })
  first()

  expect(shown()).toEqual({ counts: { a: 1 }, uncategorized: 5 })
})
