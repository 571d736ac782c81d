import './styles.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { watchQueue } from '#gallery/api/queue/queue-events.ts'
import { App } from './app.tsx'
import { preparePage } from './prepare-page.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

await preparePage()

// A transition is rendered in slices, so that a slow phone answers to touch meanwhile.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)

// After the pictures have been asked for: they are what a person came for.
void watchQueue()
