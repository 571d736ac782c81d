/** Text that only screen readers get. They read it when it changes, so it must be on the page before it has content. */
export function Announcement({ children }: { children: string | false }) {
  return (
    <p className="sr-only" aria-live="polite">
      {children}
    </p>
  )
}
