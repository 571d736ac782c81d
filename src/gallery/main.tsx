import './styles.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { theGallery } from '#gallery/api/the-gallery.ts'
import { App } from './app.tsx'
import { preparePage } from './prepare-page.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

await preparePage(theGallery)

// React renders a transition in slices, so that a slow phone stays responsive.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App api={theGallery} />
    </StrictMode>,
  ),
)

// After the image requests, because images are more important to the user.
void theGallery.watchQueue()
