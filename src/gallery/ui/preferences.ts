import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** Creates a store that survives a reload: localStorage has its state below `tessera:` and this name. */
export const createPreferences = <T extends object>(name: string, initial: T, version = 0) =>
  create<T>()(persist(() => initial, { name: `tessera:${name}`, version }))

/** True if the viewer shows the details. */
const useDetails = createPreferences('details', { isOpen: false })

export const useIsDetailsOpen = (): boolean => useDetails(({ isOpen }) => isOpen)

export const showDetails = (): void => void useDetails.setState({ isOpen: true })

export const toggleDetails = (): void =>
  void useDetails.setState(({ isOpen }) => ({ isOpen: !isOpen }))
