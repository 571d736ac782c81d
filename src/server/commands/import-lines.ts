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
    row(takenIn, count(done.taken_in) + links),
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

const MAX_NAMED_EXTENSIONS = 8

const leftFilesRow = (left: Readonly<Record<string, number>>): string[] => {
  const most = Object.entries(left).sort(([, a], [, b]) => b - a)
  if (most.length === 0) return []
  const named = most
    .slice(0, MAX_NAMED_EXTENSIONS)
    .map(([extension, files]) => `${count(files)} ${shown(extension) || 'others'}`)
  const more = most.length > named.length ? ', …' : ''
  return [row('No images', `${named.join(', ')}${more}`)]
}

const leftOutText = (images: number): string =>
  `${count(images)} intermediate ${images === 1 ? 'image' : 'images'}, hidden in InvokeAI too`
