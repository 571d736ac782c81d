import { create } from 'zustand'

const useSidebar = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

/** Whether the drawer is open. It only is on a narrow screen. */
export const useIsSidebarOpen = (): boolean => useSidebar(({ isOpen }) => isOpen)

export const openSidebar = (): void => useSidebar.setState({ isOpen: true })

export const closeSidebar = (): void => useSidebar.setState({ isOpen: false })
