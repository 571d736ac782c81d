import { create } from 'zustand'

const useStore = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export const useIsHistoryOpen = (): boolean => useStore(({ isOpen }) => isOpen)

export const toggleHistory = (): void => useStore.setState(({ isOpen }) => ({ isOpen: !isOpen }))

export const closeHistory = (): void => useStore.setState({ isOpen: false })
