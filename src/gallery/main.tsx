import './styles.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { systemClock } from '#gallery/api/clock.ts'
import { connectToServer, createQueryClient } from '#gallery/api/connection/connection.ts'
import { createGalleryApi } from '#gallery/api/gallery-api.ts'
import { App } from './app.tsx'
import { preparePage } from './prepare-page.ts'
import { pagePath } from './url/page-path.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

const api = createGalleryApi({
  ...connectToServer({ baseUrl: pagePath().replace(/\/$/, '') }),
  queryClient: createQueryClient(),
  clock: systemClock,
  channel: (name) => new BroadcastChannel(name),
})
await preparePage(api)

// React renders a transition in slices, so that a slow phone stays responsive.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App api={api} />
    </StrictMode>,
  ),
)

// After the image requests, because images are more important to the user.
void api.watchQueue()
