import { ChevronLeft, ChevronRight } from 'lucide-react'

interface PageButtonProps {
  direction: 'previous' | 'next'
  /** null: there is no image on that side. */
  position: number | null
  onShow: (position: number) => void
}

/** The way to the image before or after. */
export function PageButton({ direction, position, onShow }: PageButtonProps) {
  const isNext = direction === 'next'
  const Icon = isNext ? ChevronRight : ChevronLeft
  return (
    <button
      type="button"
      aria-label={isNext ? 'Next image' : 'Previous image'}
      title={isNext ? 'Next image' : 'Previous image'}
      disabled={position === null}
      onClick={() => position !== null && onShow(position)}
      className={`absolute top-1/2 flex size-11 -translate-y-1/2 items-center justify-center rounded-full border border-line bg-raised/80 text-ink shadow-raised transition-opacity hover:bg-raised disabled:opacity-0 ${isNext ? 'right-3' : 'left-3'}`}
    >
      <Icon aria-hidden size={22} strokeWidth={1.75} />
    </button>
  )
}
