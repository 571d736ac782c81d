import { Star, Tag } from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { nounOfNames } from '#gallery/api/images/noun.ts'
import { openTagDialog } from '#gallery/api/tags/tag-request.ts'
import { useTags } from '#gallery/api/tags/tags.ts'
import { IconButton } from '#gallery/ui/button.tsx'
import { WithTooltip } from '#gallery/ui/popups/tooltip.tsx'
import { TagDot } from '#gallery/ui/tag-dot.tsx'
import { countOf } from '#gallery/ui/text/count.ts'
import { exactly } from '#gallery/url/typed-conditions.ts'

interface MarksProps {
  image: ImageRecord
  /** Adds a condition to the search. */
  onFind: (condition: string, isExcluded: boolean) => void
}

/** The rating and the tags of an image in the details, where they can be changed. */
export function Marks({ image, onFind }: MarksProps) {
  const hasRatings = useHasExtension('ratings')
  const hasTags = useHasExtension('tags')
  if (!hasRatings && !hasTags) return null
  return (
    <div className="mb-3 flex flex-col gap-2 border-line border-b pb-3">
      {hasRatings && <Stars image={image} />}
      {hasTags && <TagChips image={image} onFind={onFind} />}
    </div>
  )
}

const RATINGS = [1, 2, 3, 4, 5]

/** Five stars to click. A click on the current rating takes it away. */
function Stars({ image: { image_name, rating } }: { image: ImageRecord }) {
  const { outbox } = useGallery()
  return (
    <fieldset className="flex items-center">
      <legend className="float-left flex-1 text-muted text-xs">Rating</legend>
      {RATINGS.map((stars) => {
        const isSet = stars === rating
        const label = countOf(stars, 'star')
        return (
          <WithTooltip key={stars} label={isSet ? `${label}: take the rating away` : label}>
            <button
              type="button"
              aria-label={label}
              aria-pressed={isSet}
              onClick={() => void outbox.rate([image_name], isSet ? 0 : stars)}
              className={`flex size-8 items-center justify-center rounded hover:bg-hover pointer-coarse:size-11 ${stars <= rating ? 'text-star' : 'text-muted'}`}
            >
              <Star
                aria-hidden
                size={18}
                strokeWidth={1.75}
                fill={stars <= rating ? 'currentColor' : 'none'}
              />
            </button>
          </WithTooltip>
        )
      })}
    </fieldset>
  )
}

function TagChips({ image, onFind }: MarksProps) {
  const all = useTags()
  const { image_name, tags } = image
  const names = [image_name]
  const edit = () =>
    openTagDialog({
      count: 1,
      noun: nounOfNames(names),
      images: names,
      names: () => Promise.resolve(names),
      records: [image],
    })
  return (
    <div className="flex items-start gap-2">
      <ul aria-label="Tags" className="flex min-w-0 flex-1 flex-wrap gap-1 py-1">
        {tags.map((tag) => (
          <li key={tag} className="flex min-w-0 max-w-full">
            <button
              type="button"
              title={`Add ${conditionOf(tag)} to the search. Alt+click excludes it.`}
              onClick={({ altKey }) => onFind(conditionOf(tag), altKey)}
              className="flex min-h-6 min-w-0 items-center gap-1.5 rounded-full border border-line px-2 text-xs hover:bg-hover pointer-coarse:min-h-11 pointer-coarse:px-3"
            >
              <TagDot color={all?.find(({ name }) => name === tag)?.color ?? null} />
              <span dir="auto" className="truncate">
                {tag}
              </span>
            </button>
          </li>
        ))}
        {tags.length === 0 && <li className="text-muted text-xs leading-6">No tags</li>}
      </ul>
      <IconButton label="Tags…" icon={Tag} commandId="tag" onClick={edit} />
    </div>
  )
}

const conditionOf = (tag: string): string => exactly('tag', tag)
