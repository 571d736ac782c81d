import { create } from 'zustand'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { showFailure } from '#gallery/ui/toasts/toast.tsx'

const useStore = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export const useIsQueueOpen = (): boolean => useStore(({ isOpen }) => isOpen)

export const toggleQueue = (): void => useStore.setState(({ isOpen }) => ({ isOpen: !isOpen }))

export const openQueue = (): void => useStore.setState({ isOpen: true })

export const closeQueue = (): void => useStore.setState({ isOpen: false })

/** Runs an action on the queue. Shows a toast with Retry if it fails. */
export function attempt(action: () => Promise<void>, title: string): void {
  action().catch((error: unknown) => {
    showFailure(title, reasonOf(error), () => attempt(action, title))
  })
}
