import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** Whether the viewer shows the details. Remembered between visits. */
const usePreference = create(
  persist((): { isOpen: boolean } => ({ isOpen: false }), { name: 'tessera:details' }),
)

export const useIsDetailsOpen = (): boolean => usePreference(({ isOpen }) => isOpen)

export function detailsShown(): void {
  usePreference.setState({ isOpen: true })
}

export function detailsToggled(): void {
  usePreference.setState(({ isOpen }) => ({ isOpen: !isOpen }))
}
