import { type ComponentProps, Suspense, useState } from 'react'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import type { SideDrawerProps } from './side-drawer.tsx'

const LoadedDrawer = lazyPart(async () => (await import('./side-drawer.tsx')).SideDrawer)

/** Loads what drawers and sheets need, so that the first one opens at once. */
export const preloadDrawers = LoadedDrawer.preload

/** A panel that slides in from the left, on screens too narrow for two columns. */
export const Drawer = (props: SideDrawerProps) => <OpenedDrawer side="left" {...props} />

/** A panel that slides in from the bottom, on screens too narrow for two columns. */
export const Sheet = (props: SideDrawerProps) => <OpenedDrawer side="bottom" {...props} />

/** Loads a drawer when it is first opened. */
function OpenedDrawer(props: ComponentProps<typeof LoadedDrawer>) {
  const [wasOpen, setWasOpen] = useState(props.isOpen)
  if (props.isOpen && !wasOpen) setWasOpen(true)
  return (
    wasOpen && (
      <Suspense>
        <LoadedDrawer {...props} />
      </Suspense>
    )
  )
}
