import { Toaster as SonnerToaster } from 'sonner'

const WIDTH = 'min(26rem, calc(100vw - var(--free-left, 0px) - var(--free-right, 0px) - 1.5rem))'

/** Toasts, above the selection bar, in the middle of the part of the page that neither panels nor cards cover. */
export function Toaster() {
  return (
    <SonnerToaster
      position="bottom-center"
      gap={8}
      visibleToasts={3}
      expand
      className="sm:left-[calc((100vw+var(--free-left,0px)-var(--free-right,0px))/2)]!"
      offset={{ bottom: 'calc(72px + var(--foot, 0px))' }}
      mobileOffset={{ bottom: 'calc(72px + var(--foot, 0px))', left: 12, right: 12 }}
      containerAriaLabel="Messages"
      // Over the lightbox and the drawer, under dialogs and menus.
      style={{ '--width': WIDTH, zIndex: 45 } as React.CSSProperties}
      toastOptions={{ unstyled: true, className: 'w-full' }}
    />
  )
}
