import {
  Blend,
  CircleCheck,
  Columns2,
  Layers,
  Link2,
  Maximize2,
  SquareSplitHorizontal,
  Table2,
  Undo2,
  X,
} from 'lucide-react'
import type { ImageRecord } from '#contract/image.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { COMPARE_SCOPE, compareKeys, comparisonElement } from './compare-keys.ts'
import type { Match } from './tournament-state.ts'
import type { CompareMode } from './use-pair-mode.ts'

interface CompareActions {
  /** The commands of the focused image that the viewer has too. */
  own: readonly Command[]
  focused: ImageRecord | undefined
  isPair: boolean
  match: Match | undefined
  onFocus: (step: number) => void
  onStar: (image: ImageRecord) => void
  onTrash: (image: ImageRecord) => void
  onKeep: (image: ImageRecord) => void
  onRemove: (image: ImageRecord) => void
  onOpen: (image: ImageRecord) => void
  onLink: (image: ImageRecord) => void
  onTable: () => void
  onZoomBy: (direction: 1 | -1) => void
  onFit: () => void
  onActualSize: () => void
  onMode: (mode: CompareMode) => void
  onBlink: (event?: KeyboardEvent) => void
}

/** Registers the commands of the comparison, and returns those that have buttons. */
export function useCompareCommands(actions: CompareActions): readonly Command[] {
  const { own, focused, isPair, match, onFocus, onZoomBy } = actions
  const onImage = (act: (image: ImageRecord) => void) => () => focused && act(focused)
  const ownOf = (id: string, act?: () => void): Command[] =>
    own.flatMap((command) => (command.id === id ? { ...command, run: act ?? command.run } : []))
  const onlyTwo = isPair ? undefined : 'Only for two images'
  const needsTwo = (command: Command): Command => ({
    ...command,
    group: 'mode',
    disabledReason: onlyTwo,
  })
  const commands: Command[] = [
    ...ownOf('toggleStar', onImage(actions.onStar)),
    ...['rate5', 'rate4', 'rate3', 'rate2', 'rate1', 'rate0', 'tag', 'move'].flatMap((id) =>
      ownOf(id),
    ),
    { ...compareKeys.open, icon: Maximize2, group: 'change', run: onImage(actions.onOpen) },
    { ...compareKeys.remove, icon: X, group: 'change', run: onImage(actions.onRemove) },
    needsTwo({ ...compareKeys.side, icon: Columns2, run: () => actions.onMode('side') }),
    needsTwo({
      ...compareKeys.slider,
      icon: SquareSplitHorizontal,
      run: () => isPair && actions.onMode('slider'),
    }),
    needsTwo({
      ...compareKeys.blink,
      icon: Layers,
      run: (event) => isPair && actions.onBlink(event),
    }),
    needsTwo({
      ...compareKeys.difference,
      icon: Blend,
      run: () => isPair && actions.onMode('difference'),
    }),
    { ...compareKeys.link, icon: Link2, group: 'view', run: onImage(actions.onLink) },
    { ...compareKeys.differences, icon: Table2, group: 'view', run: actions.onTable },
    ...ownOf('trash', onImage(actions.onTrash)),
    ...lastOf(match, onImage, actions.onKeep),
  ]
  const zooms: Command[] = [
    { ...compareKeys.zoomIn, run: () => onZoomBy(1) },
    { ...compareKeys.zoomOut, run: () => onZoomBy(-1) },
    { ...compareKeys.fit, run: actions.onFit },
    { ...compareKeys.actualSize, run: actions.onActualSize },
  ]
  const isOfControl = ({ id }: Command) => id === compareKeys.open.id
  useCommands(
    COMPARE_SCOPE,
    [...commands, ...zooms].filter((command) => !isOfControl(command)),
    { within: comparisonElement },
  )
  useCommands(
    COMPARE_SCOPE,
    [
      ...commands.filter(isOfControl),
      { ...compareKeys.next, run: () => onFocus(1) },
      { ...compareKeys.previous, run: () => onFocus(-1) },
    ],
    // A button has its own Enter, and the slider its arrows.
    { within: comparisonElement, when: ({ target }) => !isControl(target) },
  )
  return commands
}

/** Returns the commands that end a match, or a comparison. */
function lastOf(
  match: Match | undefined,
  onImage: (act: (image: ImageRecord) => void) => () => void,
  onKeep: (image: ImageRecord) => void,
): Command[] {
  if (!match)
    return [{ ...compareKeys.keep, icon: CircleCheck, group: 'delete', run: onImage(onKeep) }]
  const { onBack, onWin } = match
  const win = onImage(({ image_name }) => onWin(image_name))
  return [
    ...(onBack ? [{ ...compareKeys.back, icon: Undo2, group: 'view', run: onBack }] : []),
    { ...compareKeys.win, icon: CircleCheck, group: 'change', run: win },
  ]
}

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('button, input, a') !== null
