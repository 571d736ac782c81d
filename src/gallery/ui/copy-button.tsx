import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'
import { copyText } from './copy-text.ts'
import { showToast } from './toasts/toast.tsx'

const CONFIRMED_MS = 1500

interface CopyButtonProps {
  /** The accessible name, such as `Copy prompt`. */
  label: string
  text: string
}

export function CopyButton({ label, text }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = window.setTimeout(() => setCopied(false), CONFIRMED_MS)
    return () => window.clearTimeout(timer)
  }, [isCopied])

  const copy = async () => {
    if (await copyText(text)) setCopied(true)
    else showToast({ title: 'The browser did not allow copying.', tone: 'danger' })
  }
  return (
    <>
      <IconButton label={label} icon={isCopied ? Check : Copy} onClick={() => void copy()} />
      <span className="sr-only" aria-live="polite">
        {isCopied && 'Copied'}
      </span>
    </>
  )
}
