import type { Generation } from '#gallery/api/generations.ts'

/** On which boards making began or ended in between; empty: on none. What fails tells that itself. */
export function newsOf(
  before: readonly Generation[],
  after: readonly Generation[],
  nameOfBoard: (boardId: string) => string,
): string {
  const then = boardsOf(before)
  const now = boardsOf(after)
  return [
    ...[...now].filter((id) => !then.has(id)).map((id) => `Being made on ${nameOfBoard(id)}`),
    ...[...then].filter((id) => !now.has(id)).map((id) => endOn(id, before, nameOfBoard(id))),
  ].join('. ')
}

/** What was canceled, or failed, has made nothing. */
function endOn(id: string, before: readonly Generation[], name: string): string {
  const hasMade = before.some(({ boardId, imageNames }) => boardId === id && imageNames.length > 0)
  return `${hasMade ? 'All' : 'Nothing more is'} made on ${name}`
}

const boardsOf = (generations: readonly Generation[]): ReadonlySet<string> =>
  new Set(generations.filter(({ status }) => status !== 'failed').map(({ boardId }) => boardId))
