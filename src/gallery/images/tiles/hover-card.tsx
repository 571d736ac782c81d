import { Info } from 'lucide-react'
import { memo, Suspense, useEffect, useState } from 'react'
import type { GridHandle } from '#gallery/images/grid/grid-handle.ts'
import type { GridNow } from '#gallery/images/grid/grid-now.ts'
import { useCursorPosition } from '#gallery/images/selection/selection-store.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { switchCommand } from '#gallery/ui/commands/setting-commands.ts'
import { lazyPart } from '#gallery/ui/lazy-part.ts'
import { Switch } from '#gallery/ui/options.tsx'
import { createPreferences } from '#gallery/ui/preferences.ts'
import type { Rested } from './hover-card-popup.tsx'
import { itemOf } from './use-tile-presses.ts'

const HoverCardPopup = lazyPart(async () => (await import('./hover-card-popup.tsx')).HoverCardPopup)

/** How long the pointer or the focus rests on a tile before its card opens, in milliseconds. */
const REST_MS = 400

const usePreference = createPreferences('hover-card', { isOn: true })
const useIsOn = (): boolean => usePreference(({ isOn }) => isOn)
const setOn = (isOn: boolean): void => void usePreference.setState({ isOn })

/** Turns the cards on or off. */
export function HoverCardSwitch() {
  return (
    <Switch isOn={useIsOn()} onChange={setOn}>
      Details on hover
    </Switch>
  )
}

export function useHoverCardCommand(): void {
  const setting = { id: 'hoverCard', label: 'Details on hover', icon: Info, isOn: useIsOn() }
  useCommands('View', [switchCommand(setting, setOn)])
}

interface HoverCardProps {
  grid: GridHandle
  now: GridNow
}

/**
 * A card below the tile on which the pointer or the focus rests: what the image is. It takes no clicks, and screen
 * readers skip it, because the tile's own name and the details of the viewer tell the same.
 */
export const HoverCard = memo(function HoverCard({ grid, now }: HoverCardProps) {
  const isOn = useIsOn()
  const [rested, setRested] = useState<Rested | null>(null)
  const cursor = useCursorPosition()
  useEffect(() => {
    if (isOn) return watchRest(grid, setRested)
  }, [grid, isOn])
  useEffect(() => {
    const { element } = grid
    const isByKey = element?.dataset.keys !== undefined && document.activeElement === element
    if (!isOn || cursor === null || !isByKey) return
    const timer = setTimeout(() => setRested(restedOn(element, cursor)), REST_MS)
    return () => {
      clearTimeout(timer)
      setRested(null)
    }
  }, [grid, isOn, cursor])

  return (
    rested && (
      <Suspense>
        <HoverCardPopup now={now} rested={rested} isOn={isOn} />
      </Suspense>
    )
  )
})

const restedOn = (element: HTMLElement | null, position: number): Rested | null => {
  const tile = element?.querySelector(`[data-position="${position}"]`)
  const item = tile ? itemOf(tile) : null
  return tile && item ? { ...item, tile } : null
}

/** Events that end a rest, besides a move of the pointer to another tile. */
const ENDS = ['pointerdown', 'pointerleave', 'wheel', 'scroll', 'dragstart', 'contextmenu'] as const

/** Calls `onRest` with the tile on which a mouse or pen rests, and with null when it moves on or does something else. */
function watchRest(grid: GridHandle, onRest: (rested: Rested | null) => void): () => void {
  const { element } = grid
  const listening = new AbortController()
  const options = { signal: listening.signal, passive: true, capture: true }
  let timer: ReturnType<typeof setTimeout> | undefined
  let position: number | null = null
  const end = () => {
    clearTimeout(timer)
    position = null
    onRest(null)
  }
  const note = ({ target, pointerType, buttons }: PointerEvent) => {
    const item = target === null || pointerType === 'touch' || buttons > 0 ? null : itemOf(target)
    if (item?.position === position) return
    if (position !== null) end()
    if (item === null || element === null) return
    position = item.position
    timer = setTimeout(() => onRest(restedOn(element, item.position)), REST_MS)
  }
  element?.addEventListener('pointermove', note, options)
  for (const event of ENDS) element?.addEventListener(event, end, options)
  window.addEventListener('keydown', end, options)
  return () => {
    listening.abort()
    clearTimeout(timer)
    onRest(null)
  }
}
