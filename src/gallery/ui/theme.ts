import { create } from 'zustand'

export type Theme = 'system' | 'light' | 'dark'

export const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies { value: Theme; label: string }[]

/** Key of the chosen theme. public/theme.js reads it before the first paint. */
const STORAGE_KEY = 'tessera:theme'

const systemDark = window.matchMedia('(prefers-color-scheme: dark)')

const useThemeStore = create<{ theme: Theme }>(() => ({ theme: readTheme() }))

export const useTheme = (): Theme => useThemeStore(({ theme }) => theme)

/** Applies a theme and persists it. */
export function chooseTheme(theme: Theme): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, theme)
  } catch {
    // Storage may be forbidden or full. The choice then lasts until a reload.
  }
  draw(theme)
}

systemDark.addEventListener('change', () => draw(useThemeStore.getState().theme))
window.addEventListener('storage', ({ key }) => key === STORAGE_KEY && draw(readTheme()))

/** Surface colors of styles.css, for the status bar on phones. */
const BAR_COLORS = { dark: '#161618', light: '#ffffff' }

function draw(theme: Theme): void {
  const shown = isDark(theme) ? 'dark' : 'light'
  document.documentElement.dataset.theme = shown
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', BAR_COLORS[shown])
  useThemeStore.setState({ theme })
}

function isDark(theme: Theme): boolean {
  return theme === 'dark' || (theme === 'system' && systemDark.matches)
}

function readTheme(): Theme {
  try {
    const stored = window.localStorage.getItem(STORAGE_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}
