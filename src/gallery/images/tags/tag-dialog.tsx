import { Plus, Square, SquareCheck, SquareMinus } from 'lucide-react'
import { useMemo } from 'react'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { closeTagDialog, type ImagesToTag } from '#gallery/api/tags/tag-request.ts'
import { useTags } from '#gallery/api/tags/tags.ts'
import { Button } from '#gallery/ui/button.tsx'
import { KeyCaps } from '#gallery/ui/keys/key-caps.tsx'
import { Palette, PaletteChoice, PaletteGroup } from '#gallery/ui/popups/palette.tsx'
import { setTyped, useTyped } from '#gallery/ui/popups/palette-field.ts'
import { TagDot } from '#gallery/ui/tag-dot.tsx'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { type TagChoice, tagChoices, withKeys } from './tag-choices.ts'
import { useTagsOnImages } from './use-tags-on-images.ts'

const NO_TAGS = [] as const

/** Adds tags to images and removes them. It stays open, so that several can be changed. */
export function TagDialog({ images }: { images: ImagesToTag }) {
  const { outbox } = useGallery()
  const typed = useTyped()
  const tags = useTags() ?? NO_TAGS
  const keyed = useMemo(() => withKeys(tags), [tags])
  const onImages = useTagsOnImages(images)
  const { present, recent, others, leftOut, newName, fault, first } = tagChoices(
    keyed,
    onImages,
    typed,
  )
  const change = (name: string, isAdded: boolean) => {
    outbox.tag(images.images, name, isAdded)
    setTyped('')
  }
  const toggle = ({ name, onImages: had }: TagChoice) => change(name, had !== images.count)
  const group = (heading: string | undefined, choices: readonly TagChoice[]) =>
    choices.length > 0 && (
      <PaletteGroup heading={heading}>
        {choices.map((choice) => (
          <TagItem
            key={choice.name}
            choice={choice}
            count={images.count}
            onPick={() => toggle(choice)}
          />
        ))}
      </PaletteGroup>
    )
  return (
    <Palette
      label="Tags"
      isSheet
      placeholder={`Tags of ${countOf(images.count, images.noun)}`}
      first={first === null ? valueOfNew(newName ?? '') : (first ?? '')}
      onClose={closeTagDialog}
      footer={
        <div className="flex items-center justify-between gap-2 border-line border-t p-2 pl-4">
          <p className="text-muted text-xs">A / in the name makes levels.</p>
          <Button onClick={closeTagDialog}>Done</Button>
        </div>
      }
    >
      {newName !== null && (
        <PaletteChoice value={valueOfNew(newName)} onPick={() => change(newName, true)}>
          <Plus aria-hidden size={18} className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1 truncate">
            New tag “<bdi>{newName}</bdi>”
          </span>
          <EnterHint />
        </PaletteChoice>
      )}
      {group('Recent', recent)}
      {group(images.count === 1 ? 'On this image' : 'On these images', present)}
      {group(present.length + recent.length > 0 ? 'All tags' : undefined, others)}
      {leftOut > 0 && (
        <p className="px-2 py-2 text-muted text-sm">
          {formatCount(leftOut)} more. Type to find them.
        </p>
      )}
      {fault !== null && (
        <p role="alert" className="px-2 py-2 text-danger text-sm">
          {fault}
        </p>
      )}
      {tags.length === 0 && typed === '' && present.length === 0 && (
        <p className="px-2 py-2 text-muted text-sm">
          There are no tags yet. Type a name and press Enter.
        </p>
      )}
    </Palette>
  )
}

// A value differs from the names of tags, which have no spaces at their ends.
const valueOfNew = (name: string): string => `new tag ${name} `

/** Shows which choice Enter takes. */
const EnterHint = () => (
  <span aria-hidden className="hidden shrink-0 pointer-fine:in-aria-selected:block">
    <KeyCaps keys="Enter" />
  </span>
)

interface TagItemProps {
  choice: TagChoice
  /** Number of chosen images. */
  count: number
  onPick: () => void
}

function TagItem({ choice, count, onPick }: TagItemProps) {
  const { name, color, onImages } = choice
  const hasAll = onImages === count
  const hasSome = onImages !== undefined && onImages > 0 && !hasAll
  const Icon = hasAll ? SquareCheck : hasSome ? SquareMinus : Square
  return (
    <PaletteChoice value={name} isChecked={hasAll} onPick={onPick}>
      <Icon
        aria-hidden
        size={18}
        className={`shrink-0 ${hasAll || hasSome ? 'text-accent' : 'text-muted'}`}
      />
      <TagDot color={color} />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {name}
      </span>
      <span className="text-muted text-xs tabular-nums">
        {hasSome
          ? `on ${formatCount(onImages)} of ${formatCount(count)}`
          : formatCount(choice.count)}
      </span>
      <EnterHint />
    </PaletteChoice>
  )
}
