import type { Import } from '#contract/import.ts'
import { count, durationText, listed, row, shown } from './command-line.ts'

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

export const summaryLines = (done: Import): string[] => {
  const takenIn = done.dry_run ? 'Would be imported' : 'Imported'
  const links = done.linked > 0 ? ` (${count(done.linked)} as links)` : ''
  return [
    row(takenIn, importedText(done) + links),
    row('Already there', count(done.known)),
    ...(done.left_out ? [row('Left out', leftOutText(done.left_out))] : []),
    ...leftFilesRow(done.left_files ?? {}),
    row('Refused', count(done.refused)),
    ...listed(
      done.refusals.map(({ path, reason }) => `${path}: ${reason}`),
      { total: done.refused, hint: '; --report FILE names them all' },
    ),
  ]
}

const MAX_NAMED_EXTENSIONS = 5

const leftFilesRow = ({ '': others = 0, ...named }: Readonly<Record<string, number>>): string[] => {
  const most = Object.entries(named).sort(([, a], [, b]) => b - a)
  const listed = most.slice(0, MAX_NAMED_EXTENSIONS)
  const more = most.slice(listed.length).reduce((sum, [, files]) => sum + files, others)
  if (listed.length === 0) return more === 0 ? [] : [row('Left out', countOf(more, 'file'))]
  const text = listed.map(([extension, files]) => `${count(files)} .${shown(extension)}`).join(', ')
  return [row('Left out', more === 0 ? text : `${text}, and ${count(more)} more`)]
}

const countOf = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`

/** `12 images and 3 videos`, or only one of them. */
const importedText = ({ taken_in, videos = 0 }: Import): string => {
  const images = taken_in - videos
  return [
    ...(images > 0 || videos === 0 ? [countOf(images, 'image')] : []),
    ...(videos > 0 ? [countOf(videos, 'video')] : []),
  ].join(' and ')
}

const leftOutText = (items: number): string =>
  `${countOf(items, 'intermediate file')}, hidden in InvokeAI too`
