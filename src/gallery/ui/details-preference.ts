import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** True if the viewer shows the details. Persisted in localStorage. */
const usePreference = create(
  persist((): { isOpen: boolean } => ({ isOpen: false }), { name: 'tessera:details' }),
)

export const useIsDetailsOpen = (): boolean => usePreference(({ isOpen }) => isOpen)

export function showDetails(): void {
  usePreference.setState({ isOpen: true })
}

export function toggleDetails(): void {
  usePreference.setState(({ isOpen }) => ({ isOpen: !isOpen }))
}
