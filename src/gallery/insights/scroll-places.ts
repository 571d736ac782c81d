import { type RefObject, useLayoutEffect } from 'react'
import { create } from 'zustand'

/** How far the page of insights was scrolled, by its address. */
const useScrollPlaces = create<Readonly<Record<string, number>>>(() => ({}))

/**
 * Restores how far an element was scrolled when its address was left, so that Back returns there. Plots that load have
 * their height already.
 */
export function useScrollPlace(element: RefObject<HTMLElement | null>, address: string): void {
  useLayoutEffect(() => {
    const node = element.current
    if (node === null) return
    const top = useScrollPlaces.getState()[address]
    if (top !== undefined) node.scrollTo({ top })
    // Not while scrolling: the event of the last step may come after a click has changed the address.
    return () => useScrollPlaces.setState({ [address]: node.scrollTop })
  }, [element, address])
}
