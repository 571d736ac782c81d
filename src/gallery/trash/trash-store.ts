import { create } from 'zustand'

/** Which images of the trash are ticked. */
const useTicked = create<{ names: ReadonlySet<string> }>(() => ({ names: new Set() }))

export const useTickedNames = (): ReadonlySet<string> => useTicked(({ names }) => names)

export const useIsTicked = (imageName: string): boolean =>
  useTicked(({ names }) => names.has(imageName))

export function tickChanged(imageName: string, isTicked: boolean): void {
  useTicked.setState(({ names }) => {
    const changed = new Set(names)
    if (isTicked) changed.add(imageName)
    else changed.delete(imageName)
    return { names: changed }
  })
}

export const ticksCleared = (): void => useTicked.setState({ names: new Set() })
