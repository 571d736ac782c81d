import { Ban, Check, Pencil, X } from 'lucide-react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { Menu, MenuItem } from '#gallery/ui/menu.tsx'
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

function Chip({ query, part }: { query: string; part: SearchPart }) {
  const { isExcluded, label, value } = part
  const name = nameOfPart(part)
  const ToggleIcon = isExcluded ? Check : Ban
  const remove = () => searchFor(withoutPart(query, part))
  return (
    <li
      className={`flex h-8 max-w-72 shrink-0 items-center rounded-full text-sm pointer-coarse:h-11 ${isExcluded ? 'bg-danger-soft text-danger' : 'bg-accent-soft text-accent'}`}
    >
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            title={query.slice(part.start, part.end)}
            className="h-full min-w-0 truncate rounded-s-full pr-1 pl-3 hover:underline"
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
