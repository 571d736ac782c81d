import { Ban, ChartColumn, Images } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ContextMenu } from '#gallery/ui/popups/context-menu.tsx'
import { MenuItem } from '#gallery/ui/popups/menu.tsx'
import { excludeValue, openValue, plotOnly } from './mark.tsx'
import type { PlotValue } from './plot.ts'

interface ValueMenuProps {
  values: readonly PlotValue[]
  /** Returns the element to focus if the value has disappeared when the menu closes. */
  focusIfGone: () => HTMLElement | SVGElement | null
  /** The marks and the buttons of the values have `data-mark` with the id. */
  children: ReactNode
}

/** The menu of a value in a plot or its table: by right click, long press, Shift+F10 or the menu key. */
export function ValueMenu({ values, focusIfGone, children }: ValueMenuProps) {
  const [value, setValue] = useState<PlotValue | null>(null)
  return (
    <ContextMenu
      label={value?.label ?? 'Value'}
      heading={<bdi>{value?.label}</bdi>}
      onOpen={({ target }) => {
        const mark = target instanceof Element ? target.closest('[data-mark]') : null
        const id = mark?.getAttribute('data-mark')
        const found = values.find((each) => each.id === id)
        if (found === undefined) return null
        setValue(found)
        return mark
      }}
      opensByTouch
      focusIfGone={focusIfGone}
      area={children}
    >
      {value && (
        <>
          <MenuItem icon={Images} onSelect={() => openValue(value)}>
            Show the images
          </MenuItem>
          <MenuItem icon={ChartColumn} onSelect={() => plotOnly(value)}>
            Plot only these
          </MenuItem>
          <MenuItem icon={Ban} onSelect={() => excludeValue(value)}>
            Exclude
          </MenuItem>
        </>
      )}
    </ContextMenu>
  )
}
