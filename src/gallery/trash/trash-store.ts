import { create } from 'zustand'

interface TrashSelection {
  names: ReadonlySet<string>
  /** The image where a Shift range starts. */
  anchor: string | null
}

const useStore = create<TrashSelection>(() => ({ names: new Set(), anchor: null }))

export const useTickedNames = (): ReadonlySet<string> => useStore(({ names }) => names)
export const useIsTicked = (imageName: string): boolean =>
  useStore(({ names }) => names.has(imageName))
export const useHasTicked = (): boolean => useStore(({ names }) => names.size > 0)

/** Selects an image of the trash or unselects it. */
export function tickChanged(imageName: string, isTicked: boolean): void {
  useStore.setState(({ names }) => {
    const changed = new Set(names)
    if (isTicked) changed.add(imageName)
    else changed.delete(imageName)
    return { names: changed, anchor: imageName }
  })
}

/**
 * Selects from the image that was ticked last to this one, as Shift+click does.
 *
 * @param inOrder - The names of the trash in the order in which it shows them.
 */
export function rangeTicked(imageName: string, inOrder: readonly string[]): void {
  useStore.setState(({ names, anchor }) => {
    const to = inOrder.indexOf(imageName)
    const from = anchor === null ? to : inOrder.indexOf(anchor)
    const first = Math.min(from === -1 ? to : from, to)
    const range = inOrder.slice(first, Math.max(from, to) + 1)
    return { names: new Set([...names, ...range]), anchor: anchor ?? imageName }
  })
}

export const allTicked = (imageNames: readonly string[]): void =>
  useStore.setState(({ names }) => ({ names: new Set([...names, ...imageNames]) }))

export const ticksCleared = (): void => useStore.setState({ names: new Set(), anchor: null })
