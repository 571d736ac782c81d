import { useId, useState } from 'react'
import { MAX_SEARCH_NAME_LENGTH } from '#contract/limits.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { reasonOf } from '#gallery/api/reason-of.ts'
import { type SearchIcon, useSearches } from '#gallery/api/searches.ts'
import { NameForm } from '#gallery/boards/dialogs/name-form.tsx'
import { MeanwhileNote } from '#gallery/boards/meanwhile-note.tsx'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { typedOr } from '#gallery/ui/popups/palette-field.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { showToast } from '#gallery/ui/toasts/toast.tsx'
import { goTo } from '#gallery/url/use-place.ts'
import { SEARCH_ICONS } from './search-icons.ts'
import { placeOfSearch, suggestedName } from './search-place.ts'
import { closeSearchDialog, type SearchDialogState } from './search-store.ts'

/**
 * Asks for the name and the icon of a search: of a new one, or of a saved one.
 *
 * @param dialog - With the search as it was when the dialog opened.
 */
export function SearchDialog({ dialog }: { dialog: NonNullable<SearchDialogState> }) {
  const { searches } = useGallery()
  const formId = useId()
  const all = useSearches()
  const { kind, search } = dialog
  const [name, setName] = useState(() =>
    typedOr(kind === 'new' ? suggestedName(search.query) : search.name, MAX_SEARCH_NAME_LENGTH),
  )
  const [icon, setIcon] = useState<SearchIcon | null>(search.icon)
  const [fault, setFault] = useState<string | null>(null)
  const [isSending, setIsSending] = useState(false)
  const current =
    kind === 'edit' ? all?.find(({ search_id }) => search_id === search.search_id) : undefined
  const isDeleted = kind === 'edit' && all !== undefined && current === undefined
  const send = async () => {
    const wanted = name.trim()
    if (kind === 'new') {
      const saved = await searches.add({ ...search, name: wanted, icon })
      goTo(placeOfSearch(saved), { replace: true })
      showToast({ title: `Saved “${isolated(saved.name)}”` })
      return
    }
    const before = current ?? search
    const isRenamed = wanted !== before.name
    const changes = { ...(isRenamed && { name: wanted }), ...(icon !== before.icon && { icon }) }
    if (Object.keys(changes).length === 0) return
    await searches.change(before, changes, isRenamed ? 'renamed' : 'changed')
  }
  const save = async () => {
    if (isSending || isDeleted) return
    if (name.trim() === '') return setFault('A saved search needs a name.')
    setIsSending(true)
    try {
      await send()
      closeSearchDialog()
    } catch (error) {
      setFault(reasonOf(error))
    } finally {
      setIsSending(false)
    }
  }
  return (
    <Dialog
      isOpen
      onClose={closeSearchDialog}
      title={kind === 'new' ? 'Save this search' : 'Name and icon'}
      description={<bdi className="wrap-anywhere">{(current ?? search).query}</bdi>}
      actions={
        <>
          <Button tone="quiet" onClick={closeSearchDialog}>
            {isDeleted ? 'Close' : 'Cancel'}
          </Button>
          {!isDeleted && (
            <Button tone="primary" type="submit" form={formId} disabled={isSending}>
              Save
            </Button>
          )}
        </>
      }
    >
      <NameForm
        id={formId}
        value={name}
        maxLength={MAX_SEARCH_NAME_LENGTH}
        fault={fault}
        onType={(typed) => {
          setName(typed)
          setFault(null)
        }}
        onSubmit={() => void save()}
      >
        <IconChoice icon={icon} onChoose={setIcon} />
      </NameForm>
      {isDeleted && <MeanwhileNote>This search was deleted meanwhile.</MeanwhileNote>}
    </Dialog>
  )
}

interface IconChoiceProps {
  icon: SearchIcon | null
  onChoose: (icon: SearchIcon | null) => void
}

function IconChoice({ icon, onChoose }: IconChoiceProps) {
  const group = useId()
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 font-medium">Icon</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(2.25rem,1fr))] gap-1 pointer-coarse:grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))]">
        {Object.entries(SEARCH_ICONS).map(([value, { Icon, label }]) => (
          <label
            key={value}
            title={label}
            className="flex h-9 items-center justify-center rounded text-muted outline-accent hover:bg-hover has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 pointer-coarse:h-11"
          >
            <input
              type="radio"
              name={group}
              aria-label={label}
              checked={(icon ?? 'search') === value}
              onChange={() => onChoose(value === 'search' ? null : (value as SearchIcon))}
              className="sr-only"
            />
            <Icon aria-hidden size={18} strokeWidth={1.75} />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
