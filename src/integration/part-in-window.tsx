import type { ReactNode } from 'react'
import { systemClock } from '#gallery/api/clock.ts'
import { connectToServer, createQueryClient } from '#gallery/api/connection/connection.ts'
import { createGalleryApi, type GalleryApi } from '#gallery/api/gallery-api.ts'
import { GalleryProvider } from '#gallery/api/gallery-context.tsx'
import { imageKeys } from '#gallery/api/images/image-cache.ts'
import { createPictures, type Pictures, PicturesContext } from '#gallery/images/tiles/pictures.ts'
import { testView, windowsOf } from './grid-in-window.ts'

/** The surroundings of a part of the page without a server: its data layer and its pictures. */
export class PartInWindow {
  readonly api: GalleryApi = createGalleryApi({
    ...connectToServer(),
    queryClient: createQueryClient(),
    clock: systemClock,
    channel: (name) => new BroadcastChannel(name),
  })
  readonly pictures: Pictures = createPictures()

  constructor() {
    // The only style that the code reads: `overflow`, to find scroll containers.
    document.head.innerHTML = '<style>[class*=overflow-] { overflow-y: auto }</style>'
    this.api.queryClient.setQueryData(this.api.capabilities.query.queryKey, {
      server: 'tessera',
      extensions: ['trash'],
      limits: {},
    } as never)
  }

  /** Fills the cache with the windows of a view. Its images are numbered from `total` down to 1. */
  cacheWindows(total: number, view = testView): void {
    for (const [index, window] of windowsOf(total)) {
      this.api.queryClient.setQueryData(imageKeys.window(view, index), window)
    }
  }

  /** The `wrapper` option of Testing Library. */
  readonly Wrapper = ({ children }: { children: ReactNode }) => (
    <GalleryProvider api={this.api}>
      <PicturesContext value={this.pictures}>{children}</PicturesContext>
    </GalleryProvider>
  )
}
