import { TriangleAlert } from 'lucide-react'
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '#gallery/ui/button.tsx'
import { Notice } from '#gallery/ui/notice.tsx'

interface ErrorBoundaryProps {
  children: ReactNode
}

/** Shows an error page if rendering fails. Pending changes are not lost. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Notice
        icon={TriangleAlert}
        tone="danger"
        title="Something went wrong"
        actions={
          <Button tone="primary" onClick={() => window.location.reload()}>
            Reload
          </Button>
        }
      >
        <p>Your images are safe. Reloading usually fixes it.</p>
        <p className="mt-2 break-words font-mono text-xs">{error.message}</p>
      </Notice>
    )
  }
}
