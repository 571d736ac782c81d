import type { Generation } from '#gallery/api/queue/generations-of.ts'

/** Returns the announcement of boards on which generating started or ended; empty if none. Failures have toasts. */
export function announcementOf(
  before: readonly Generation[],
  after: readonly Generation[],
  nameOfBoard: (boardId: string) => string,
): string {
  const then = boardsOf(before)
  const now = boardsOf(after)
  return [
    ...[...now].filter((id) => !then.has(id)).map((id) => `Generating on ${nameOfBoard(id)}`),
    ...[...then].filter((id) => !now.has(id)).map((id) => endOn(id, before, nameOfBoard(id))),
  ].join('. ')
}

/** Announces the end on a board: `Stopped` if all generations there were canceled or failed, so no image was saved. */
function endOn(id: string, before: readonly Generation[], name: string): string {
  const hasMade = before.some(({ boardId, imageNames }) => boardId === id && imageNames.length > 0)
  return `${hasMade ? 'Finished' : 'Stopped'} generating on ${name}`
}

const boardsOf = (generations: readonly Generation[]): ReadonlySet<string> =>
  new Set(generations.filter(({ status }) => status !== 'failed').map(({ boardId }) => boardId))
