import { Check, Columns2, CopyX, Maximize2, Trash2 } from 'lucide-react'
import { type DuplicateGroup, keyOfGroup } from '#gallery/api/duplicates.ts'
import { useGallery } from '#gallery/api/gallery-context.tsx'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { currentActive, currentKept, keepInstead, keptOf, setActive } from './duplicates-store.ts'
import { compareGroup, dismissGroup, resolveGroups } from './group-actions.ts'
import { openImage } from './group-image.tsx'
import { DUPLICATES_SCOPE, groupKeys } from './group-keys.ts'

/** The group and the image that the keys act on. */
interface Focused {
  readonly index: number
  readonly group: DuplicateGroup
  readonly imageName: string
}

/** Returns the focused image; without one, the kept one of the first group. */
function focusedIn(groups: readonly DuplicateGroup[]): Focused | null {
  const active = currentActive()
  const at = groups.findIndex((group) => keyOfGroup(group) === active?.groupKey)
  const index = Math.max(0, at)
  const group = groups[index]
  if (group === undefined) return null
  const isThere = group.images.some(({ image_name }) => image_name === active?.imageName)
  const imageName = at >= 0 && isThere && active ? active.imageName : keptOf(group, currentKept())
  return { index, group, imageName }
}

/**
 * Registers the commands of the groups. `onReveal` scrolls to a group.
 *
 * @returns Moves the focus from a group that disappears to the next one.
 */
export function useGroupCommands(
  groups: readonly DuplicateGroup[],
  onReveal: (index: number) => void,
): (index: number) => void {
  const api = useGallery()
  const focus = (index: number) => {
    const group = groups[Math.max(0, Math.min(index, groups.length - 1))]
    if (group === undefined) return
    onReveal(groups.indexOf(group))
    setActive(keyOfGroup(group), keptOf(group, currentKept()), true)
  }
  const onFocused = (act: (focused: Focused) => void) => () => {
    const focused = focusedIn(groups)
    if (focused !== null) act(focused)
  }
  /** The next group takes the place of the one that disappears, and the focus. */
  const leave = (index: number) => {
    const next = groups[index + 1] ?? groups[index - 1]
    if (next) setActive(keyOfGroup(next), keptOf(next, currentKept()), true)
  }
  const onGroup = (act: (group: DuplicateGroup) => void) =>
    onFocused(({ group, index }) => {
      leave(index)
      act(group)
    })
  const stepBy = (by: 1 | -1) =>
    onFocused(({ group, imageName, index }) => {
      const at = group.images.findIndex(({ image_name }) => image_name === imageName)
      const next = group.images[at + by]
      if (next) setActive(keyOfGroup(group), next.image_name, true)
      else if (groups[index + by]) focus(index + by)
    })
  const commands: Command[] = [
    {
      ...groupKeys.keep,
      icon: Check,
      run: onFocused(({ group, imageName }) => keepInstead(group, imageName)),
    },
    {
      ...groupKeys.resolve,
      icon: Trash2,
      isDanger: true,
      run: onGroup(
        (group) => void resolveGroups(api, [{ group, keep: keptOf(group, currentKept()) }]),
      ),
    },
    {
      ...groupKeys.dismiss,
      icon: CopyX,
      run: onGroup((group) => void dismissGroup(api, group)),
    },
    { ...groupKeys.compare, icon: Columns2, run: onFocused(({ group }) => compareGroup(group)) },
  ]
  useCommands(DUPLICATES_SCOPE, commands, { within: groupsElement })
  useCommands(
    DUPLICATES_SCOPE,
    [
      {
        ...groupKeys.open,
        icon: Maximize2,
        run: onFocused(({ imageName }) => openImage(imageName)),
      },
      { ...groupKeys.next, run: stepBy(1) },
      { ...groupKeys.previous, run: stepBy(-1) },
      { ...groupKeys.nextGroup, run: onFocused(({ index }) => focus(index + 1)) },
      { ...groupKeys.previousGroup, run: onFocused(({ index }) => focus(index - 1)) },
    ],
    { within: groupsElement, when: ({ target }) => isImage(target) },
  )
  return leave
}

const groupsElement = (): Element | null => document.querySelector('[data-duplicates]')

/** The other buttons of a group have their own Enter. */
const isImage = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-duplicates] [aria-pressed]') !== null
