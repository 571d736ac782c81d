import type { Import } from '#gallery/api/imports.ts'
import { countOf, formatCount, formatDecimal } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { formatTimeLeft } from '#gallery/ui/text/time-left.ts'

/** The last name of a path; the path itself where it has none, as `/` has. */
export const folderNameOf = (path: string): string =>
  path.split(/[/\\]/).findLast((name) => name !== '') ?? path

/** The headline of an import. */
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
      return onlyWatched(one) ? `Stopped watching ${name}` : `Canceled: ${name}`
    case 'interrupted':
      return onlyWatched(one) ? `Stopped watching ${name}` : `Interrupted: ${name}`
  }
}

const seen = ({ taken_in, known, refused }: Import): number => taken_in + known + refused

/** Whether all that was there had been seen to, and it waited for what arrives. */
const onlyWatched = (one: Import): boolean => one.watch && one.is_counted && seen(one) >= one.found

/** Of 1, how many of the files have been seen to; null while they are still being counted. */
export function shareOf(one: Import): number | null {
  if (one.state === 'watching' || one.state === 'completed') return 1
  if (!one.is_counted) return null
  return one.found === 0 ? 1 : seen(one) / one.found
}

/** The line below the headline: what became of the files, and how long the rest will take. */
export function detailOf(one: Import): string {
  const { state, found, is_counted, taken_in, known, refused } = one
  const isOver = ['completed', 'watching', 'failed'].includes(state) || onlyWatched(one)
  const goesOn = state === 'running' || state === 'paused'
  const ofFound = is_counted ? '' : goesOn ? ' found so far' : ' found'
  const parts = [
    isOver
      ? countOf(taken_in, known > 0 ? 'new image' : 'image')
      : `${formatCount(taken_in)} of ${formatCount(found)}${ofFound}`,
    known > 0 && `${formatCount(known)} already here`,
    refused > 0 && `${formatCount(refused)} refused`,
    state === 'running' && one.images_per_second !== null && rateOf(one.images_per_second),
    state === 'running' && one.seconds_left !== null && formatTimeLeft(one.seconds_left * 1000),
  ]
  return parts.filter((part) => part !== false).join(' · ')
}

/** The same text, in which a line ends only behind a dot. */
export const unbroken = (detail: string): string => detail.replaceAll(/(?<!·) /g, '\u00a0')

const rateOf = (perSecond: number): string =>
  perSecond >= 10 ? `${formatCount(Math.round(perSecond))}/s` : `${formatDecimal(perSecond)}/s`

/** What a dry run found, as a sentence: what would happen, or what did so far. */
export function forecastOf(one: Import): string {
  const { taken_in, known, refused, left_out = 0, state } = one
  const parts = [
    countOf(taken_in, 'new image'),
    known > 0 && `${formatCount(known)} already here`,
    refused > 0 && `${formatCount(refused)} will be refused`,
    state === 'completed' && left_out > 0 && `${countOf(left_out, 'intermediate image')} left out`,
  ]
  const said = parts.filter((part) => part !== false).join('; ')
  return state === 'completed' ? `${said}.` : `${said} so far${lookedAt(one)}`
}

/** Every file that is not known is read and decoded, so that looking takes as long as bringing in. */
function lookedAt(one: Import): string {
  if (!one.is_counted) return '…'
  const files = `, in ${formatCount(seen(one))} of ${formatCount(one.found)} files`
  return one.seconds_left === null ? files : `${files} · ${formatTimeLeft(one.seconds_left * 1000)}`
}

/** What is not brought in on purpose; null: nothing. */
export const leftOutOf = ({ left_out = 0 }: Pick<Import, 'left_out'>): string | null =>
  left_out === 0 ? null : `${countOf(left_out, 'intermediate image')}, hidden in InvokeAI too`

/** What is said aloud when an import has come to its end. */
export const announcementOf = (one: Import): string => `${titleOf(one)}: ${detailOf(one)}`

/** Refused files as text: a line each, the path and why. */
export const refusalsAsText = (refusals: Import['refusals']): string =>
  refusals.map(({ path, reason }) => `${path}\t${reason}`).join('\n')
