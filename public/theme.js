// Runs before the first paint, so that a chosen theme never flashes in the other one. A file of its own,
// since the page's Content-Security-Policy allows no inline script. src/gallery/ui/theme.ts does the rest.
{
  let chosen = null
  try {
    chosen = localStorage.getItem('tessera:theme')
  } catch {
    // Storage may be forbidden. The system's theme it is.
  }
  const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches
  const isDark = chosen === 'dark' || (chosen !== 'light' && isSystemDark)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  // The color of the status bar on phones.
  document.querySelector('meta[name="theme-color"]').content = isDark ? '#161618' : '#ffffff'
}
