import './styles.css'
import { systemClock } from '#gallery/api/clock.ts'
import { connectToServer, createQueryClient } from '#gallery/api/connection/connection.ts'
import { createGalleryApi } from '#gallery/api/gallery-api.ts'
import { preparePage } from './prepare-page.ts'
import { pagePath } from './url/page-path.ts'

/**
 * Asks for the first images while the browser still loads the components. A function, because components that import
 * from this script would wait for a top-level `await` in it.
 */
async function openPage(): Promise<void> {
  const components = import('./render-page.tsx')
  const api = createGalleryApi({
    ...connectToServer({ baseUrl: pagePath().replace(/\/$/, '') }),
    queryClient: createQueryClient(),
    clock: systemClock,
    channel: (name) => new BroadcastChannel(name),
  })
  const prepared = await preparePage(api)
  const { renderPage } = await components
  renderPage(api, prepared)

  // After the image requests, because images are more important to the user.
  void api.watchQueue()
}

void openPage()
