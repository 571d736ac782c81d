/** The whole page, and not only the lightbox: toasts and dialogs stand outside of it. */
export function toggleFullScreen(): void {
  const done = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen?.()
  // Refused where the browser or a frame does not allow it; there is nothing to do about that.
  done?.catch(() => {})
}
