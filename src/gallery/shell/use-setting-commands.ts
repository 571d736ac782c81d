import {
  ArrowDownUp,
  CalendarDays,
  Filter,
  LayoutGrid,
  RotateCcw,
  Star,
  SunMoon,
  Timer,
} from 'lucide-react'
import { useCapabilities, useHasExtension } from '#gallery/api/connection/capabilities.ts'
import type { Command } from '#gallery/ui/commands/command.ts'
import { useCommands } from '#gallery/ui/commands/registry.ts'
import { choiceCommands, switchCommand } from '#gallery/ui/commands/setting-commands.ts'
import { chooseTheme, THEMES, useTheme } from '#gallery/ui/theme.ts'
import { STARRED } from '#gallery/url/place.ts'
import {
  filterOfKind,
  filterOfLength,
  KIND_CHOICES,
  kindOf,
  LENGTH_CHOICES,
  lengthOf,
  VIDEOS,
} from '#gallery/url/place-filter.ts'
import { defaultDirOf, isByDate } from '#gallery/url/place-order.ts'
import {
  goTo,
  makeOrderDefault,
  resetOrder,
  useDefaultOrder,
  usePlace,
} from '#gallery/url/use-place.ts'
import { directionsOf, useOrderChoices } from './order-choices.ts'

/** Registers a command for each theme. */
export function useThemeCommands(): void {
  const value = useTheme()
  const theme = { id: 'theme', name: 'Theme', icon: SunMoon, value, options: THEMES }
  useCommands('View', choiceCommands({ ...theme, onChoose: chooseTheme }))
}

/** Registers commands for the sort order. */
export function useSortCommands(): void {
  const { board, orderBy, orderDir } = usePlace()
  const hasOrders = useHasExtension('image_orders')
  const orders = choiceCommands({
    id: 'sort',
    name: 'Sort by',
    icon: ArrowDownUp,
    value: orderBy,
    options: useOrderChoices(board),
    onChoose: (chosen) => goTo({ orderBy: chosen, orderDir: defaultDirOf(chosen) }),
  })
  const directions = choiceCommands({
    id: 'order',
    name: 'Order',
    icon: ArrowDownUp,
    value: orderDir,
    options: directionsOf(hasOrders ? orderBy : 'created_at'),
    onChoose: (chosen) => goTo({ orderDir: chosen }),
  })
  useCommands('View', [...(hasOrders ? orders : []), ...directions])
}

/** Registers commands for the order and the filter of the images on boards. */
export function useOrderCommands(): void {
  useSortCommands()
  const place = usePlace()
  const { orderBy, starredFirst, groupByDay, isStarred, board } = place
  const hasOrders = useHasExtension('image_orders')
  const hasDays = useHasExtension('image_days')
  const hasDurations = useHasExtension('video_durations')
  const hasVideos = useCapabilities()?.limits.max_video_bytes !== undefined
  const kinds = choiceCommands({
    id: 'filter',
    name: 'Show',
    icon: Filter,
    value: kindOf(place).word,
    options: hasVideos ? KIND_CHOICES : KIND_CHOICES.filter(({ value }) => value !== VIDEOS.word),
    onChoose: (chosen) => goTo({ ...filterOfKind(chosen), image: null }),
  })
  const lengths = choiceCommands({
    id: 'filter.length',
    name: 'Length of videos',
    icon: Timer,
    value: lengthOf(place).word,
    options: LENGTH_CHOICES,
    onChoose: (chosen) => goTo({ ...filterOfLength(chosen), image: null }),
  })
  const starred = switchCommand(
    { id: 'order.starredFirst', label: 'Starred first', icon: Star, isOn: starredFirst },
    (isOn) => goTo({ starredFirst: isOn }),
  )
  const onlyStarred = switchCommand(
    { id: 'filter.starred', label: 'Only starred images', icon: Star, isOn: isStarred === true },
    (isOn) => goTo({ isStarred: isOn || undefined, image: null }),
  )
  const canChooseStarred = useHasExtension('starred_filter') && board !== STARRED
  const days = switchCommand(
    { id: 'order.groupByDay', label: 'Group by day', icon: CalendarDays, isOn: groupByDay },
    (isOn) => goTo({ groupByDay: isOn }),
  )
  const { isDefault, canReset } = useDefaultOrder()
  const useForAll: Command = {
    ...{ id: 'order.useForAll', label: 'Use this view for all boards', icon: LayoutGrid },
    ...{ group: 'settings', run: makeOrderDefault },
  }
  const reset: Command = {
    ...{ id: 'order.reset', label: 'Reset this view to the default', icon: RotateCcw },
    ...{ group: 'settings', run: resetOrder },
  }
  const hasGroups = hasDays && isByDate(hasOrders ? orderBy : 'created_at')
  useCommands('View', [
    starred,
    ...(hasGroups ? [days] : []),
    ...kinds,
    ...(hasDurations ? lengths : []),
    ...(isDefault ? [] : [useForAll]),
    ...(canReset ? [reset] : []),
    ...(canChooseStarred ? [onlyStarred] : []),
  ])
}
