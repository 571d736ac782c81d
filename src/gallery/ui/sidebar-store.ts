import { create } from 'zustand'

const useSidebar = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

/** Returns true if the drawer of the compact layout is open. */
export const useIsSidebarOpen = (): boolean => useSidebar(({ isOpen }) => isOpen)

export const openSidebar = (): void => useSidebar.setState({ isOpen: true })

export const closeSidebar = (): void => useSidebar.setState({ isOpen: false })
