import { Lock } from 'lucide-react'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'

/** The server asks for a token, and this browser has none. */
export function LockedNotice() {
  return (
    <main className="h-full">
      <Notice
        icon={Lock}
        title="Open this gallery with its link"
        actions={<Button onClick={() => window.location.reload()}>Try again</Button>}
      >
        <p>
          Open the link that the server printed when it started. It ends in{' '}
          <code className="font-mono text-sm">?token=…</code>, and this browser then remembers it.
        </p>
      </Notice>
    </main>
  )
}
