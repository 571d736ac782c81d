import { X } from 'lucide-react'
import { EVERY_KIND, kindOf } from '#gallery/url/image-kind.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'

/** Shows all kinds of images again. */
export const clearKind = (): void => goTo({ categories: EVERY_KIND.categories, image: null })

/** Says that only some kinds of images are shown, and shows all of them again. */
export function KindChip() {
  const { label, word } = kindOf(usePlace().categories)
  if (word === EVERY_KIND.word) return null
  return (
    <button
      type="button"
      title="Show all kinds"
      aria-label={`Only ${label}: show all kinds`}
      onClick={clearKind}
      className="flex h-8 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full bg-accent-soft pr-2 pl-3 font-medium text-accent text-sm hover:underline pointer-coarse:h-11"
    >
      {label}
      <X aria-hidden size={14} />
    </button>
  )
}
