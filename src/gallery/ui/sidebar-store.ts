import { create } from 'zustand'
import { createPreferences } from './preferences.ts'

const useSidebar = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

/** Returns true if the drawer of the compact layout is open. */
export const useIsSidebarOpen = (): boolean => useSidebar(({ isOpen }) => isOpen)

export const openSidebar = (): void => useSidebar.setState({ isOpen: true })

export const closeSidebar = (): void => useSidebar.setState({ isOpen: false })

/** The width of the sidebar in CSS pixels. Below the least, names would be cut too much. */
export const SIDEBAR_WIDTH = { least: 200, initial: 256, most: 480 } as const

const useWidth = createPreferences('sidebar', { widthPx: SIDEBAR_WIDTH.initial as number })

export const useSidebarWidth = (): number => useWidth(({ widthPx }) => widthPx)

export const setSidebarWidth = (widthPx: number): void =>
  void useWidth.setState({
    widthPx: Math.round(Math.min(SIDEBAR_WIDTH.most, Math.max(SIDEBAR_WIDTH.least, widthPx))),
  })
