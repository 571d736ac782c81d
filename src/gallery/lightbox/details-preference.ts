import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** Whether the details stand beside the picture; kept from visit to visit. */
const usePreference = create(
  persist((): { isOpen: boolean } => ({ isOpen: false }), { name: 'tessera:details' }),
)

export const useIsDetailsOpen = (): boolean => usePreference(({ isOpen }) => isOpen)
export function detailsToggled(): void {
  usePreference.setState(({ isOpen }) => ({ isOpen: !isOpen }))
}
