import { create } from 'zustand'
import { createPreferences } from '#gallery/ui/preferences.ts'
import type { ZoomedPart } from '#gallery/ui/stage/fit-box.ts'

const usePreference = createPreferences('keepsZoom', { isOn: false })

/** The part that the viewer shows now. null: all of the image. */
const useShownPart = create<{ part: ZoomedPart | null }>(() => ({ part: null }))

export const useKeepsZoom = (): boolean => usePreference(({ isOn }) => isOn)

export const toggleKeepsZoom = (): void =>
  void usePreference.setState(({ isOn }) => ({ isOn: !isOn }))

export const rememberPart = (part: ZoomedPart | null): void => useShownPart.setState({ part })

/** Returns the part that the next image shows at first. null: all of it. */
export const keptPart = (): ZoomedPart | null =>
  usePreference.getState().isOn ? useShownPart.getState().part : null
