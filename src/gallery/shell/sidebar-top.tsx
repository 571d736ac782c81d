import type { ReactNode } from 'react'
import { closeSidebar } from '#gallery/ui/sidebar-store.ts'
import { PlaceLink } from '#gallery/url/place-link.tsx'
import { ALL_BOARDS } from '#gallery/url/place-order.ts'

/** The top of the sidebar: the brand, and a button beside it. */
export const SidebarTop = ({ children }: { children?: ReactNode }) => (
  <header className="flex h-16 shrink-0 short:h-12 items-center pr-2 pl-4">
    <Brand />
    {children}
  </header>
)

/** The icon and the name, as a link to all images. */
function Brand() {
  return (
    <PlaceLink
      board={ALL_BOARDS}
      aria-label="Tessera"
      onOpen={closeSidebar}
      className="flex items-center gap-3 rounded pointer-coarse:min-h-11 font-semibold text-lg tracking-tight"
    >
      <img src="icon.svg" alt="" width={24} height={24} className="size-6" />
      Tessera
    </PlaceLink>
  )
}
