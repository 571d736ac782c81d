import type { Import, ImportRefusal } from '#contract/import.ts'
import { shown } from './command-line.ts'

/** Maximum number of refusals in a summary. */
const NAMED = 20

export const count = (value: number): string => value.toLocaleString('en')

/** Formats a duration, without seconds beyond a minute: `40 s`, `12 min`, `3 h 20 min`. */
export const durationText = (seconds: number): string => {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Describes the progress of an import in one line. */
export const progressLine = (now: Import): string => {
  const done = now.taken_in + now.known + now.refused
  const parts = [
    now.is_counted ? `${count(done)} of ${count(now.found)}` : `${count(done)} so far`,
    ...(now.known > 0 ? [`${count(now.known)} known`] : []),
    ...(now.refused > 0 ? [`${count(now.refused)} refused`] : []),
    ...(now.state === 'watching' ? ['watching, Ctrl+C ends'] : []),
    ...(now.state === 'paused' ? ['paused'] : []),
    ...(now.state === 'running' ? speedOf(now) : []),
  ]
  return parts.join(' · ')
}

const speedOf = ({ images_per_second: rate, seconds_left: left }: Import): string[] => [
  ...(rate !== null ? [`${rate.toFixed(rate < 10 ? 1 : 0)} a second`] : []),
  ...(left !== null ? [`${durationText(left)} left`] : []),
]

/** Summarizes an import. */
export const summaryLines = (done: Import): string[] => {
  const takenIn = done.dry_run ? 'Would be imported' : 'Imported'
  const links = done.linked > 0 ? ` (${count(done.linked)} as links)` : ''
  const rows: [string, string][] = [
    [takenIn, count(done.taken_in) + links],
    ['Already there', count(done.known)],
    ...(done.left_out ? [['Left out', leftOutText(done.left_out)] satisfies [string, string]] : []),
    ['Refused', count(done.refused)],
  ]
  return [...rows.map(([name, value]) => `  ${name.padEnd(20)}${value}`), ...refusalLines(done)]
}

const leftOutText = (images: number): string =>
  `${count(images)} intermediate ${images === 1 ? 'image' : 'images'}, hidden in InvokeAI too`

const refusalLines = ({ refusals, refused }: Import): string[] => {
  const named = refusals.slice(0, NAMED)
  const more = refused - named.length
  return [
    ...named.map((refusal) => `    ${refusalText(refusal)}`),
    ...(more > 0 ? [`    … and ${count(more)} more; --report FILE names them all`] : []),
  ]
}

const refusalText = ({ path, reason }: ImportRefusal): string => shown(`${path}: ${reason}`)
