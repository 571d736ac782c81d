import { createPreferences } from '#gallery/ui/preferences.ts'

/** How videos sound in the viewer. `volume` is 0 to 1. */
export const useSound = createPreferences('video', { volume: 1, isMuted: false })
