import { Monitor, Moon, Sun } from 'lucide-react'
import { IconButton } from '#gallery/ui/icon-button.tsx'
import { Menu, MenuChoice } from '#gallery/ui/menu.tsx'
import { chooseTheme, type Theme, useTheme } from '#gallery/ui/theme.ts'

const icons = { system: Monitor, light: Sun, dark: Moon }

const options = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies { value: Theme; label: string }[]

/** Dark, light, or what the system says. */
export function ThemeMenu() {
  const theme = useTheme()
  return (
    <Menu align="end" trigger={<IconButton label="Theme" icon={icons[theme]} />}>
      <MenuChoice label="Theme" value={theme} options={options} onChoose={chooseTheme} />
    </Menu>
  )
}
