import { Tooltip } from '@base-ui/react/tooltip'
import { useCallback, useSyncExternalStore } from 'react'
import { keyNames } from '#gallery/ui/keys/key-names.ts'

/** The tooltip of a button, which has the text and the keys in its attributes. */
export function TooltipPopup({ button }: { button: HTMLElement }) {
  const label = useAttribute(button, 'data-tip')
  const keys = useAttribute(button, 'data-tip-keys')
  return (
    <Tooltip.Root open onOpenChange={ignore}>
      <Tooltip.Portal>
        <Tooltip.Positioner
          data-tip-popup
          anchor={button}
          sideOffset={6}
          collisionPadding={8}
          className="z-60"
        >
          <Tooltip.Popup
            aria-hidden
            data-tooltip
            className="pointer-events-none flex max-w-64 items-center gap-2 rounded-sm bg-ink px-2 py-1 text-surface text-xs shadow-raised"
          >
            {label}
            {keys !== null && (
              <kbd className="whitespace-nowrap font-sans opacity-75">
                {keyNames(keys).join('+')}
              </kbd>
            )}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

/** `Tooltips` decides what closes a tooltip. Base UI would take Escape from the rest of the page. */
function ignore(_: boolean, details: Tooltip.Root.ChangeEventDetails): void {
  details.cancel()
  details.allowPropagation()
}

/** Returns an attribute that may change while its element is shown. */
function useAttribute(element: Element, name: string): string | null {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const changes = new MutationObserver(onChange)
      changes.observe(element, { attributeFilter: [name] })
      return () => changes.disconnect()
    },
    [element, name],
  )
  return useSyncExternalStore(subscribe, () => element.getAttribute(name))
}
