import { systemClock } from './clock.ts'
import { connectToServer, createQueryClient } from './connection/connection.ts'
import { createGalleryApi } from './gallery-api.ts'

/** The data layer, for modules that do not get it as an argument yet. */
export const theGallery = createGalleryApi({
  ...connectToServer(),
  queryClient: createQueryClient(),
  clock: systemClock,
  channel: (name) => new BroadcastChannel(name),
})
