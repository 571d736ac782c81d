import { ArrowUp } from 'lucide-react'
import { formatCount } from '#gallery/ui/text/count.ts'

/** A button with the number of new images above the screen. A click scrolls to them. */
export function NewAbove({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <div
      aria-live="polite"
      className="pointer-events-none absolute inset-x-0 top-3 flex justify-center"
    >
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="pointer-events-auto flex h-9 items-center gap-1.5 rounded-full border border-transparent bg-accent px-4 font-medium text-accent-ink text-sm shadow-floating hover:opacity-90 pointer-coarse:h-11"
        >
          <ArrowUp aria-hidden size={16} />
          {formatCount(count)} new
        </button>
      )}
    </div>
  )
}
