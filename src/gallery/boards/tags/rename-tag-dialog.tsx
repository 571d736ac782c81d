import { useId, useState } from 'react'
import { MAX_TAG_LENGTH } from '#contract/limits.ts'
import { tagKey, tagNameIn } from '#contract/search/tag-names.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import { TAG_NAME_FAULT } from '#gallery/api/tags/tag-name-fault.ts'
import { useTags } from '#gallery/api/tags/tags.ts'
import { NameForm } from '#gallery/boards/dialogs/name-form.tsx'
import { Button } from '#gallery/ui/button.tsx'
import { Dialog } from '#gallery/ui/popups/dialog.tsx'
import { typedOr } from '#gallery/ui/popups/palette-field.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { changeTag } from './tag-commands.ts'
import { closeTagRenaming } from './tag-store.ts'

/** Asks for the new name of a tag. If a tag has this name, it asks once whether the two become one. */
export function RenameTagDialog({ name }: { name: string }) {
  const api = useGallery()
  const formId = useId()
  const tags = useTags() ?? []
  const [typed, setTyped] = useState(() => typedOr(name, MAX_TAG_LENGTH))
  const [fault, setFault] = useState<string | null>(null)
  const [merged, setMerged] = useState<string | null>(null)
  const save = () => {
    const newName = tagNameIn(typed)
    if (newName === null) {
      setFault(TAG_NAME_FAULT)
      return
    }
    const same = tags.find((tag) => tagKey(tag.name) === tagKey(newName))
    const isOther = same !== undefined && tagKey(newName) !== tagKey(name)
    if (isOther && merged !== same.name) {
      setMerged(same.name)
      return
    }
    closeTagRenaming()
    if (newName === name) return
    void changeTag(api, { name, changes: { new_name: newName } }, (count) =>
      count > 0
        ? `Merged “${isolated(name)}” with “${isolated(newName)}”`
        : `Renamed the tag to “${isolated(newName)}”`,
    )
  }
  return (
    <Dialog
      isOpen
      onClose={closeTagRenaming}
      title="Rename tag"
      description="A / in the name makes levels. Tags below it keep their place."
      actions={
        <>
          <Button tone="quiet" onClick={closeTagRenaming}>
            Cancel
          </Button>
          <Button tone="primary" type="submit" form={formId}>
            {merged === null ? 'Rename' : 'Merge'}
          </Button>
        </>
      }
    >
      <NameForm
        id={formId}
        value={typed}
        maxLength={MAX_TAG_LENGTH}
        fault={fault}
        onType={(typedName) => {
          setTyped(typedName)
          setFault(null)
          setMerged(null)
        }}
        onSubmit={save}
      >
        {merged !== null && (
          <p role="status" className="mt-2 wrap-anywhere text-sm">
            The tag “<bdi>{merged}</bdi>” exists. Its images and those of “<bdi>{name}</bdi>” will
            have one tag.
          </p>
        )}
      </NameForm>
    </Dialog>
  )
}
