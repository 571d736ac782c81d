import type { BulkChange } from '#gallery/api/outbox/bulk-changes.ts'
import { isTagAspect } from '#gallery/api/outbox/outbox-state.ts'
import { countOf, formatCount } from '#gallery/ui/text/count.ts'
import { isolated } from '#gallery/ui/text/names.ts'
import { formatTimeLeft } from '#gallery/ui/text/time-left.ts'
import { wordsOfRunning } from './step-words.ts'

/** Returns the title of a change: what it does, or its result. */
export function titleOf(change: BulkChange): string {
  const { action, state, doneCount, canceledCount, failed } = change
  const running = wordsOfRunning(action)
  if (state === 'running') return running
  if (state === 'paused') return `Paused: ${running.charAt(0).toLowerCase()}${running.slice(1)}`
  const verb = participleOf(change)
  const parts = [
    doneCount > 0 && `${formatCount(doneCount)} ${verb}`,
    canceledCount > 0 && `${formatCount(canceledCount)} not ${verb}`,
    failed.length > 0 && `${formatCount(failed.length)} failed`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** Returns the second line: the progress and the remaining time, or all images of the change. */
export function detailOf(change: BulkChange, leftMs: number | null): string {
  const { action, state, doneCount, canceledCount, failed } = change
  if (state === 'ended') {
    const target = action.aspect === 'board' && action.boardName
    const images = `${countOf(action.count, action.noun ?? 'image')}${target ? ` to ${isolated(target)}` : ''}`
    return canceledCount > 0 ? `Canceled · ${images}` : images
  }
  const parts = [
    `${formatCount(Math.min(doneCount, action.count))} of ${formatCount(action.count)}`,
    failed.length > 0 && `${formatCount(failed.length)} failed`,
    leftMs !== null && formatTimeLeft(leftMs),
  ]
  return parts.filter((part) => part !== false).join(' · ')
}

function participleOf({ action: { aspect, wanted } }: BulkChange): string {
  if (isTagAspect(aspect)) return wanted ? 'tagged' : 'untagged'
  switch (aspect) {
    case 'starred':
      return wanted ? 'starred' : 'unstarred'
    case 'rating':
      return 'rated'
    case 'trashed':
      return wanted === true ? 'moved to the trash' : 'restored'
    case 'deleted':
      return 'deleted'
    default:
      return 'moved'
  }
}
