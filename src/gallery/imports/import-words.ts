import type { Import } from '#gallery/api/imports.ts'
import { countOf, formatCount, formatDecimal } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { formatTimeLeft } from '#gallery/ui/text/time-left.ts'

/** Returns the last name of a path, or the path itself if it has none, such as `/`. */
export const folderNameOf = (path: string): string =>
  path.split(/[/\\]/).findLast((name) => name !== '') ?? path

/** Returns text such as `12 images and 3 videos`; only one of them if the other is 0. */
export const imagesAndVideos = (images: number, videos: number, adjective = ''): string => {
  const counted = [
    ...(images > 0 || videos === 0 ? [countOf(images, `${adjective}image`)] : []),
    ...(videos > 0 ? [countOf(videos, `${adjective}video`)] : []),
  ]
  return counted.join(' and ')
}

const importedOf = ({ taken_in, videos = 0 }: Import, adjective = ''): string =>
  imagesAndVideos(taken_in - videos, videos, adjective)

export function titleOf(one: Import): string {
  const name = isolated(folderNameOf(one.folder))
  switch (one.state) {
    case 'running':
      return `Importing ${name}`
    case 'paused':
      return `Paused: ${name}`
    case 'watching':
      return `Watching ${name}`
    case 'completed':
      return `Imported ${name}`
    case 'failed':
      return `${name} was not imported`
    case 'canceled':
      return onlyWatches(one) ? `Stopped watching ${name}` : `Canceled: ${name}`
    case 'interrupted':
      return onlyWatches(one) ? `Stopped watching ${name}` : `Interrupted: ${name}`
  }
}

const processedCount = ({ taken_in, known, refused }: Import): number => taken_in + known + refused

/** Returns true if all existing files were processed and the import only watched for new ones. */
const onlyWatches = (one: Import): boolean =>
  one.watch && one.is_counted && processedCount(one) >= one.found

/** Returns the progress between 0 and 1; null while files are still being counted. */
export function shareOf(one: Import): number | null {
  if (one.state === 'watching' || one.state === 'completed') return 1
  if (!one.is_counted) return null
  return one.found === 0 ? 1 : processedCount(one) / one.found
}

/** Returns the line below the title: the results so far and the remaining time. */
export function detailOf(one: Import): string {
  const { state, found, is_counted, taken_in, known, refused } = one
  const isOver = ['completed', 'watching', 'failed'].includes(state) || onlyWatches(one)
  const isActive = state === 'running' || state === 'paused'
  const ofFound = is_counted ? '' : isActive ? ' found so far' : ' found'
  const parts = [
    isOver
      ? importedOf(one, known > 0 ? 'new ' : '')
      : `${formatCount(taken_in)} of ${formatCount(found)}${ofFound}`,
    known > 0 && `${formatCount(known)} already here`,
    refused > 0 && `${formatCount(refused)} refused`,
    state === 'running' && one.images_per_second !== null && rateOf(one.images_per_second),
    state === 'running' && one.seconds_left !== null && formatTimeLeft(one.seconds_left * 1000),
  ]
  return parts.filter((part) => part !== false).join(' · ')
}

/** Replaces spaces with non-breaking ones, so that lines break only after a `·`. */
export const unbroken = (detail: string): string => detail.replaceAll(/(?<!·) /g, '\u00a0')

const rateOf = (perSecond: number): string =>
  perSecond >= 10 ? `${formatCount(Math.round(perSecond))}/s` : `${formatDecimal(perSecond)}/s`

/** Describes the result of a dry run in a sentence, or its results so far. */
export function forecastOf(one: Import): string {
  const { known, refused, left_out = 0, state } = one
  const parts = [
    importedOf(one, 'new '),
    known > 0 && `${formatCount(known)} already here`,
    refused > 0 && `${formatCount(refused)} will be refused`,
    state === 'completed' && left_out > 0 && `${countOf(left_out, 'intermediate file')} left out`,
  ]
  const text = parts.filter((part) => part !== false).join('; ')
  return state === 'completed' ? `${text}.` : `${text} so far${dryRunProgressOf(one)}`
}

/** Returns the progress of a dry run. It decodes every unknown file, so it takes as long as an import. */
function dryRunProgressOf(one: Import): string {
  if (!one.is_counted) return '…'
  const files = `, in ${formatCount(processedCount(one))} of ${formatCount(one.found)} files`
  return one.seconds_left === null ? files : `${files} · ${formatTimeLeft(one.seconds_left * 1000)}`
}

/** Describes images and videos that are excluded on purpose; null if there are none. */
export const leftOutOf = ({ left_out = 0 }: Pick<Import, 'left_out'>): string | null =>
  left_out === 0 ? null : `${countOf(left_out, 'intermediate file')}, hidden in InvokeAI too`

const MAX_NAMED_EXTENSIONS = 5

/** Describes files that are neither images nor videos, by extension, the most frequent first; null if there are none. */
export const leftFilesOf = ({ left_files = {} }: Pick<Import, 'left_files'>): string | null => {
  const { '': others = 0, ...named } = left_files
  const most = Object.entries(named).sort(([, a], [, b]) => b - a)
  const listed = most.slice(0, MAX_NAMED_EXTENSIONS)
  const more = most.slice(listed.length).reduce((sum, [, files]) => sum + files, others)
  if (listed.length === 0) return more === 0 ? null : countOf(more, 'file')
  const text = listed.map(([extension, files]) => `${formatCount(files)} .${extension}`).join(', ')
  return more === 0 ? text : `${text}, and ${formatCount(more)} more`
}

/** Returns the screen reader announcement at the end of an import. */
export const announcementOf = (one: Import): string => `${titleOf(one)}: ${detailOf(one)}`

/** Formats refused files as text, one line per file: the path, a tab and the reason. */
export const refusalsAsText = (refusals: Import['refusals']): string =>
  refusals.map(({ path, reason }) => `${path}\t${reason}`).join('\n')
