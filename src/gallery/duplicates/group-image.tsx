import { Check, Maximize2, Play, Star } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ImageRecord } from '#contract/image.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { IconButton } from '#gallery/ui/button.tsx'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import { goTo } from '#gallery/url/use-place.ts'
import { fileFactsOf } from './duplicate-words.ts'
import { releaseActive, setActive, useActive } from './duplicates-store.ts'

interface GroupImageProps {
  image: ImageRecord
  groupKey: string
  isKept: boolean
  /** True for the image of the list that Tab reaches. */
  isTabStop: boolean
  boardName: string | null
  onKeep: () => void
}

export const openImage = (imageName: string): void => goTo({ image: imageName })

/** An image of a group. A press keeps it, a double click opens it. */
export function GroupImage(props: GroupImageProps) {
  const { image, groupKey, isKept, isTabStop, boardName, onKeep } = props
  const { client } = useGallery()
  const button = useRef<HTMLButtonElement>(null)
  const active = useActive()
  const isActive = active?.imageName === image.image_name && active.groupKey === groupKey
  const own = isActive ? active : null
  useEffect(() => {
    if (own?.takesFocus) button.current?.focus()
  }, [own])
  const [isBroken, setBroken] = useState(false)
  const name = fileNameOf(image)
  const facts = fileFactsOf(image)
  const place = boardName ?? 'On no board'
  const label = [name, facts, place, image.starred && 'starred'].filter(Boolean).join(', ')
  return (
    <li className="group/image relative flex min-w-0 flex-col">
      <button
        ref={button}
        type="button"
        aria-pressed={isKept}
        aria-label={`Keep ${label}`}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={() => setActive(groupKey, image.image_name)}
        onBlur={({ relatedTarget }) => relatedTarget && releaseActive()}
        onClick={onKeep}
        onDoubleClick={() => openImage(image.image_name)}
        className={`flex min-w-0 flex-col rounded border text-start transition-colors ${isKept ? 'border-accent bg-accent-soft' : 'border-line hover:bg-hover'}`}
      >
        <span className="relative flex aspect-square w-full items-center justify-center overflow-hidden rounded-t bg-sunken">
          {isBroken ? (
            <span className="px-2 text-center text-muted text-xs">No picture</span>
          ) : (
            <img
              src={client.images.thumbnailUrl(image)}
              alt=""
              decoding="async"
              loading="lazy"
              draggable={false}
              className="size-full object-contain"
              onError={() => setBroken(true)}
            />
          )}
          {image.video !== null && (
            <Play aria-hidden size={28} className="absolute text-white drop-shadow" />
          )}
          {isKept && (
            <span className="absolute top-1.5 left-1.5 flex items-center gap-1 rounded-full bg-accent py-0.5 pr-2 pl-1.5 font-medium text-accent-ink text-xs">
              <Check aria-hidden size={14} strokeWidth={2.5} />
              Keep
            </span>
          )}
        </span>{' '}
        <span className="flex min-w-0 flex-col gap-0.5 px-2 py-1.5 text-xs">
          <span className="flex items-center gap-1 font-medium">
            <bdi className="truncate" title={name}>
              {name}
            </bdi>
            {image.starred && (
              <Star aria-hidden size={12} fill="currentColor" className="shrink-0" />
            )}
          </span>{' '}
          <span className="text-muted tabular-nums">{facts}</span>{' '}
          <bdi className="truncate text-muted">{place}</bdi>
        </span>
      </button>
      <span className="absolute top-1 right-1 pointer-fine:opacity-0 pointer-fine:group-hover/image:opacity-100">
        <IconButton
          label={`Open ${name}`}
          icon={Maximize2}
          tabIndex={-1}
          className="bg-raised shadow-raised"
          onClick={() => openImage(image.image_name)}
        />
      </span>
    </li>
  )
}
