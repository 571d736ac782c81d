import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface NoticeProps {
  icon: LucideIcon
  title: string
  children?: ReactNode
  /** Buttons for the next step. */
  actions?: ReactNode
  tone?: 'plain' | 'danger'
}

/** A message in the middle of a region without content: empty, no match, or failed. */
export function Notice({ icon: Icon, title, children, actions, tone = 'plain' }: NoticeProps) {
  const colors = tone === 'danger' ? 'bg-danger-soft text-danger' : 'bg-sunken text-muted'
  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      className="flex h-full flex-col items-center justify-center-safe gap-3 p-6 text-center"
    >
      <span className={`flex size-12 items-center justify-center rounded-full ${colors}`}>
        <Icon aria-hidden size={22} strokeWidth={1.75} />
      </span>
      <h2 className="font-semibold text-lg">{title}</h2>
      {children !== undefined && <div className="max-w-96 text-muted">{children}</div>}
      {actions !== undefined && (
        <div className="mt-1 flex flex-wrap justify-center gap-2">{actions}</div>
      )}
    </div>
  )
}
