// Runs before the first paint, so that a chosen theme never flashes in the other one, and the sidebar never jumps to
// its width. A separate file, since the page's Content-Security-Policy allows no inline script.
// src/gallery/ui/theme.ts and sidebar-store.ts do the rest.
{
  let chosen = null
  let widthPx = null
  try {
    chosen = localStorage.getItem('tessera:theme')
    widthPx = JSON.parse(localStorage.getItem('tessera:sidebar'))?.state?.widthPx
  } catch {
    // Storage may be forbidden or damaged: the system's theme and the default width apply.
  }
  const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches
  const isDark = chosen === 'dark' || (chosen !== 'light' && isSystemDark)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  // The color of the status bar on phones.
  document.querySelector('meta[name="theme-color"]').content = isDark ? '#161618' : '#ffffff'
  // The frame in index.html has this width.
  if (typeof widthPx === 'number')
    document.documentElement.style.setProperty('--sidebar-width', `${widthPx / 16}rem`)
}
