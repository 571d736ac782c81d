import { create } from 'zustand'

const useStore = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

/** Whether the queue stands beside the images. */
export const useIsQueueOpen = (): boolean => useStore(({ isOpen }) => isOpen)

export const queueToggled = (): void => useStore.setState(({ isOpen }) => ({ isOpen: !isOpen }))

export const queueOpened = (): void => useStore.setState({ isOpen: true })

export const queueClosed = (): void => useStore.setState({ isOpen: false })
