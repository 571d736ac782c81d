import type { Board } from '#gallery/api/boards/board-queries.ts'
import { itemCountOf } from '#gallery/api/images/noun.ts'

/** A visible row of the board list. */
export type BoardTreeRow =
  | {
      kind: 'board'
      key: string
      board: Board
      /** The name without that of its groups. */
      label: string
      depth: number
    }
  | {
      kind: 'group'
      key: string
      /** Beginning of the names of its boards, without the last separator: `Clients/Acme`. */
      path: string
      label: string
      depth: number
      isFolded: boolean
      /** Numbers of the boards in it, at any depth, and of their images. */
      boardCount: number
      imageCount: number
    }

interface Group {
  path: string
  label: string
  children: (Group | Board)[]
  groups: Map<string, Group>
  boardCount: number
  imageCount: number
}

/** Separates a group from its boards. Boards of imported folders have such names too. */
export const GROUP_SEPARATOR = '/'

/** Returns the parts of a board's name: its groups, and its label. */
export const partsOf = (boardName: string): string[] => {
  const parts = boardName
    .split(GROUP_SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean)
  return parts.length === 0 ? [boardName] : parts
}

/** Returns the paths of all groups of a board, the outermost first. */
export const groupsOf = (boardName: string): string[] => {
  const groups = partsOf(boardName).slice(0, -1)
  return groups.map((_, at) => groups.slice(0, at + 1).join(GROUP_SEPARATOR))
}

export const groupKeyOf = (path: string): string => `group:${path}`

/**
 * Arranges boards in groups by their names, such as `Clients/Acme`. A group is where the first of its boards is in the
 * order of the list. A group that contains only another group shares its row.
 */
export function boardTree(
  boards: readonly Board[],
  isFolded: (path: string) => boolean,
): BoardTreeRow[] {
  const root = newGroup('', '')
  for (const board of boards) {
    let group = root
    for (const path of groupsOf(board.board_name)) {
      group.boardCount += 1
      group.imageCount += itemCountOf(board)
      const next = group.groups.get(path) ?? newGroup(path, partsOf(path).at(-1) ?? path)
      if (!group.groups.has(path)) group.children.push(next)
      group.groups.set(path, next)
      group = next
    }
    group.boardCount += 1
    group.imageCount += itemCountOf(board)
    group.children.push(board)
  }
  return rowsOf(root, 0, isFolded)
}

const newGroup = (path: string, label: string): Group => {
  return { path, label, children: [], groups: new Map(), boardCount: 0, imageCount: 0 }
}

const isGroup = (child: Group | Board): child is Group => 'children' in child

function rowsOf(
  { children }: Group,
  depth: number,
  isFolded: (path: string) => boolean,
): BoardTreeRow[] {
  return children.flatMap((child): BoardTreeRow[] => {
    if (!isGroup(child)) {
      const label = partsOf(child.board_name).at(-1) ?? child.board_name
      return [{ kind: 'board', key: child.board_id, board: child, label, depth }]
    }
    const { group, label } = withOnlyGroup(child, child.label)
    const { path, boardCount, imageCount } = group
    const row = { label, depth, isFolded: isFolded(path), boardCount, imageCount }
    return [
      { kind: 'group', key: groupKeyOf(path), path, ...row },
      ...(row.isFolded ? [] : rowsOf(group, depth + 1, isFolded)),
    ]
  })
}

const withOnlyGroup = (group: Group, label: string): { group: Group; label: string } => {
  const [only, ...others] = group.children
  if (only === undefined || others.length > 0 || !isGroup(only)) return { group, label }
  return withOnlyGroup(only, `${label}${GROUP_SEPARATOR}${only.label}`)
}

/** Returns the row of a board outside of all groups. */
export const rowOfBoard = (board: Board): BoardTreeRow => ({
  kind: 'board',
  key: board.board_id,
  board,
  label: board.board_name,
  depth: 0,
})

/** Returns the whole name of a board that is made in a group; `''` is outside all groups. */
export const nameWithin = (name: string, path: string): string =>
  path === '' ? name : `${path}${GROUP_SEPARATOR}${name}`

/** Returns the new name of a board that is moved into a group; `''` is outside all groups. */
export const nameInGroup = (boardName: string, path: string): string => {
  const label = partsOf(boardName).at(-1) ?? boardName
  return nameWithin(label, path)
}
