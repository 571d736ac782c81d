import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { renewMediaCookie } from './api/account.ts'
import { preloadPage } from './api/preload-page.ts'
import { watchQueue } from './api/queue-events.ts'
import { watchReachability } from './api/reachability.ts'
import { App } from './app.tsx'
import { currentPlace } from './url/use-place.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

watchReachability()
await renewMediaCookie()
preloadPage(currentPlace())

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

// After the pictures have been asked for: they are what a person came for.
void watchQueue()
