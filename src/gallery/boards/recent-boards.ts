import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** How many boards are offered first. */
const MAX_RECENT = 5

const useRecent = create(
  persist(() => ({ boardIds: [] as readonly string[] }), { name: 'tessera:recent-boards' }),
)

/** The boards that were last picked, the last one first. Some may be gone by now. */
export const useRecentBoardIds = (): readonly string[] => useRecent(({ boardIds }) => boardIds)

export function boardPicked(boardId: string): void {
  useRecent.setState(({ boardIds }) => ({
    boardIds: [boardId, ...boardIds.filter((id) => id !== boardId)].slice(0, MAX_RECENT),
  }))
}
