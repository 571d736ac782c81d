import { useQuery } from '@tanstack/react-query'
import { Ban, Check, Pencil, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { colorIn, type LikeValue, likeValueIn } from '#contract/likeness/like-terms.ts'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { thumbnailOf } from '#gallery/api/images/image-queries.ts'
import { metadataQueries } from '#gallery/api/images/metadata-queries.ts'
import { Menu, MenuItem } from '#gallery/ui/popups/menu.tsx'
import { fileNameOf } from '#gallery/ui/text/names.ts'
import {
  nameOfPart,
  partsOf,
  type SearchPart,
  withExclusion,
  withoutPart,
} from '#gallery/url/typed-conditions.ts'
import { goTo, usePlace } from '#gallery/url/use-place.ts'
import { selectInField } from './field.ts'

const searchFor = (query: string): void => goTo({ query, image: null })

/** The conditions of the search, one chip each. On a narrow screen the row scrolls. */
export function ConditionChips() {
  const { query } = usePlace()
  const hasConditions = useHasExtension('search_conditions')
  const parts = hasConditions ? partsOf(query) : []
  if (parts.length === 0) return null
  return (
    <ul
      aria-label="Conditions"
      className="flex gap-2 overflow-x-auto overscroll-x-contain px-4 pb-2 [scrollbar-width:thin] wide:flex-wrap wide:px-6"
    >
      {parts.map((part) => (
        <Chip key={part.start} query={query} part={part} />
      ))}
    </ul>
  )
}

interface ChipProps {
  query: string
  part: SearchPart
}

function Chip(props: ChipProps) {
  const { condition } = props.part
  const like = condition?.key === 'like' ? likeValueIn(condition.value) : null
  return like === null ? <PlainChip {...props} /> : <LikeChip {...props} like={like} />
}

const LIKE_LABELS: Readonly<Record<LikeValue['by'], string>> = {
  picture: 'Like',
  prompt: 'Prompt like',
  parameters: 'Parameters like',
}

/** Names the image as people do, because its name in the library says nothing. */
function LikeChip({ query, part, like: { by, imageName } }: ChipProps & { like: LikeValue }) {
  const { client } = useGallery()
  const { data: image } = useQuery(metadataQueries(client).record(imageName))
  const value = image ? fileNameOf(image) : imageName
  return (
    <PlainChip
      query={query}
      part={{ ...part, label: LIKE_LABELS[by], value }}
      sign={
        <img
          src={thumbnailOf(client, imageName)}
          alt=""
          className="ml-1 size-6 shrink-0 rounded-full bg-hover object-cover"
        />
      }
    />
  )
}

function PlainChip({ query, part, sign }: ChipProps & { sign?: ReactNode }) {
  const { isExcluded, label, value, condition } = part
  const name = nameOfPart(part)
  const color = condition?.key === 'color' ? colorIn(value) : null
  const ToggleIcon = isExcluded ? Check : Ban
  const remove = () => searchFor(withoutPart(query, part))
  return (
    <li
      className={`flex h-8 max-w-72 shrink-0 items-center rounded-full text-sm pointer-coarse:h-11 ${isExcluded ? 'bg-danger-soft text-danger' : 'bg-accent-soft text-accent'}`}
    >
      {sign}
      {color && (
        <span
          aria-hidden
          className="ml-2 size-4 shrink-0 rounded-full border border-line"
          style={{ backgroundColor: `rgb(${color.join()})` }}
        />
      )}
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            title={query.slice(part.start, part.end)}
            className={`h-full min-w-0 truncate rounded-s-full pr-1 hover:underline ${sign || color ? 'pl-2' : 'pl-3'}`}
          >
            {isExcluded && 'Not '}
            {label !== '' && `${label}: `}
            <bdi className="font-medium">{value}</bdi>
          </button>
        }
      >
        <MenuItem icon={Pencil} onSelect={() => requestAnimationFrame(() => selectInField(part))}>
          Edit
        </MenuItem>
        <MenuItem icon={ToggleIcon} onSelect={() => searchFor(withExclusion(query, part))}>
          {isExcluded ? 'Include' : 'Exclude'}
        </MenuItem>
        <MenuItem icon={X} onSelect={remove}>
          Remove
        </MenuItem>
      </Menu>
      <button
        type="button"
        aria-label={`Remove ${name}`}
        title="Remove"
        onClick={remove}
        className="flex h-full shrink-0 items-center rounded-e-full pr-2 pl-1 hover:opacity-70 pointer-coarse:pr-3 pointer-coarse:pl-2"
      >
        <X aria-hidden size={14} />
      </button>
    </li>
  )
}
