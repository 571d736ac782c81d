import { Pipette } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { useHasExtension } from '#gallery/api/connection/capabilities.ts'
import { viewerElement, viewerKeys } from '#gallery/lightbox/viewer-keys.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { changeSearch } from '#gallery/url/change-search.ts'
import { withKey } from '#gallery/url/typed-conditions.ts'
import { ColorPicker } from './color-picker.tsx'

interface ColorPickerOptions {
  imageName: string
  stage: RefObject<HTMLElement | null>
  /** Called when the picker opens: what moves must stop. */
  onOpen: () => void
}

/** Returns the command that picks a color of the viewed image and searches for it, and the open picker. */
export function useColorPicker({ imageName, stage, onOpen }: ColorPickerOptions): {
  commands: readonly Command[]
  picker: ReactNode
} {
  const hasLikeness = useHasExtension('likeness')
  /** The image from which a color is picked. Another image closes the picker. */
  const [pickedFrom, setPickedFrom] = useState<string | null>(null)
  if (pickedFrom !== null && pickedFrom !== imageName) setPickedFrom(null)
  if (!hasLikeness) return { commands: [], picker: null }
  const close = () => {
    setPickedFrom(null)
    const viewer = viewerElement()
    if (viewer instanceof HTMLElement) viewer.focus({ preventScroll: true })
  }
  const command: Command = {
    ...viewerKeys.pickColor,
    icon: Pipette,
    group: 'view',
    run: () => {
      onOpen()
      setPickedFrom(imageName)
    },
  }
  return {
    commands: [command],
    picker: pickedFrom === imageName && (
      <ColorPicker
        stage={stage}
        onClose={close}
        onPick={(color) => {
          close()
          changeSearch((query) => withKey(query, 'color', `color:${color}`))
        }}
      />
    ),
  }
}
