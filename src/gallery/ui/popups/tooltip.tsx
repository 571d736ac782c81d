import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'
import type { ReactElement } from 'react'
import { keyNames } from '#gallery/ui/keys/key-names.ts'

interface TooltipContent {
  readonly label: string
  /** The first key of the action. */
  readonly keys?: string | undefined
}

/** One popup for all tooltips of the page: a popup per button would make long lists slow. */
const tooltip = BaseTooltip.createHandle<TooltipContent>()

/** Delay of tooltips on hover, in milliseconds. With the keyboard they open at once. */
const DELAY_MS = 400

interface WithTooltipProps extends TooltipContent {
  /** The button. */
  children: ReactElement
}

/** A button with a tooltip. The button needs an accessible name, because screen readers do not read the tooltip. */
export function WithTooltip({ label, keys, children }: WithTooltipProps) {
  return (
    <BaseTooltip.Trigger
      handle={tooltip}
      payload={{ label, keys }}
      delay={DELAY_MS}
      render={children}
    />
  )
}

/** Draws the open tooltip. Render it once, at the end of the page. */
export function Tooltips() {
  return (
    <BaseTooltip.Root handle={tooltip}>
      {({ payload }) => (
        <BaseTooltip.Portal>
          <BaseTooltip.Positioner sideOffset={6} collisionPadding={8} className="z-60">
            <BaseTooltip.Popup
              aria-hidden
              data-tooltip
              className="pointer-events-none flex max-w-64 items-center gap-2 rounded-sm bg-ink px-2 py-1 text-surface text-xs shadow-raised"
            >
              {payload?.label}
              {payload?.keys !== undefined && (
                <kbd className="whitespace-nowrap font-sans opacity-75">
                  {keyNames(payload.keys).join('+')}
                </kbd>
              )}
            </BaseTooltip.Popup>
          </BaseTooltip.Positioner>
        </BaseTooltip.Portal>
      )}
    </BaseTooltip.Root>
  )
}
