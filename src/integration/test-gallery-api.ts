import type { ConnectOptions } from '#client/index.ts'
import { systemClock } from '#gallery/api/clock.ts'
import { connectToServer, createQueryClient } from '#gallery/api/connection/connection.ts'
import { createGalleryApi, type GalleryApi } from '#gallery/api/gallery-api.ts'

/**
 * Builds the data layer of one page.
 *
 * @param connection - By default the origin of the page and the global `fetch` at the time of each request.
 */
export const testGalleryApi = (connection: Partial<ConnectOptions> = {}): GalleryApi =>
  createGalleryApi({
    ...connectToServer(connection),
    queryClient: createQueryClient(),
    clock: systemClock,
    channel: (name) => new BroadcastChannel(name),
  })
