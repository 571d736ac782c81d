import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { PendingEdits } from './pending-edits.ts'

const plus = (sum: number, more: readonly number[]) => more.reduce((a, b) => a + b, sum)

let client: QueryClient
let edits: PendingEdits<number>
let onServer: number

/** Registers a query with the number of the server, which edits increase. */
const register = (name: string) => {
  const answer = edits.answer([name], plus)
  const fetch = () =>
    client.fetchQuery({ queryKey: [name], queryFn: () => answer.fetch(async () => onServer) })
  return { fetch, shown: () => client.getQueryData([name]) }
}

beforeEach(() => {
  client = new QueryClient()
  edits = new PendingEdits(client)
  onServer = 1
})

test('shows an edit at once and rolls it back', async () => {
  const { fetch, shown } = register('first')
  await fetch()

  const rollback = edits.edit(10)
  expect(shown()).toBe(11)
  rollback()

  expect(shown()).toBe(1)
})

test('applies a pending edit to an answer', async () => {
  const { fetch } = register('first')
  edits.edit(10)

  expect(await fetch()).toBe(11)
})

test('applies an edit that was confirmed after the request was sent', async () => {
  const { fetch } = register('first')
  const { settle } = edits.edit(10)

  const answer = fetch()
  settle()

  expect(await answer).toBe(11)
})

test('ends a confirmed edit with the first answer that contains it', async () => {
  const { fetch } = register('first')
  edits.edit(10).settle()
  onServer = 11

  expect(await fetch()).toBe(11)
})

test('applies a confirmed edit to the answers that do not contain it', async () => {
  const [first, second] = [register('first'), register('second')]
  await second.fetch()
  edits.edit(10).settle()
  onServer = 11
  await first.fetch()
  edits.edit(100)

  expect([first.shown(), second.shown()]).toEqual([111, 111])
})

test('does not roll back a confirmed edit', async () => {
  const { fetch, shown } = register('first')
  await fetch()

  const rollback = edits.edit(10)
  rollback.settle()
  rollback()

  expect(shown()).toBe(11)
})

test('caches nothing before the first answer', () => {
  const { shown } = register('first')
  edits.edit(10)

  expect(shown()).toBeUndefined()
})
