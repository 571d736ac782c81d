import { Toaster as SonnerToaster } from 'sonner'

/** Where toasts stand: above the foot of the page, in the middle. */
export function Toaster() {
  return (
    <SonnerToaster
      position="bottom-center"
      gap={8}
      visibleToasts={3}
      expand
      // In the middle of what is left of the page beside the sidebar.
      className="md:left-[calc(50%+8rem)]!"
      offset={{ bottom: 72 }}
      mobileOffset={{ bottom: 'calc(72px + var(--foot, 0px))', left: 12, right: 12 }}
      containerAriaLabel="Messages"
      // Over the lightbox and the drawer, under dialogs and menus.
      style={{ '--width': '26rem', zIndex: 45 } as React.CSSProperties}
      toastOptions={{ unstyled: true, className: 'w-full' }}
    />
  )
}
