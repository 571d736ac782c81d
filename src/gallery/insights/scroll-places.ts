import { create } from 'zustand'

/** How far the page of insights was scrolled, by its address, so that Back returns there. */
const useScrollPlaces = create<Readonly<Record<string, number>>>(() => ({}))

const address = (): string => window.location.search

export const rememberScroll = (top: number): void => useScrollPlaces.setState({ [address()]: top })

export const rememberedScroll = (): number => useScrollPlaces.getState()[address()] ?? 0
