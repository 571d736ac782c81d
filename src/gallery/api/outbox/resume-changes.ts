import { DUPLICATES_KEY } from '#gallery/api/duplicates-key.ts'
import { showChange } from '#gallery/api/images/show-change.ts'
import { isBulk } from './bulk-changes.ts'
import {
  type DuplicatesAspect,
  type Entry,
  isOfDuplicates,
  targetsOf,
  type Value,
} from './outbox-state.ts'
import { takeStep } from './outbox-steps.ts'
import type { OutboxStorage } from './outbox-storage.ts'
import { PAUSED } from './outbox-worker.ts'
import { isAlone, type StepsApi } from './step-options.ts'

/**
 * Resumes the unconfirmed changes of earlier pages, and shows them optimistically.
 *
 * @returns Resolves when they are sent.
 */
export async function resumeChanges(api: StepsApi, storage: OutboxStorage): Promise<void> {
  const groups = Map.groupBy(await storage.load(), groupOf)
  await Promise.all([...groups.values()].map((entries) => resume(api, entries)))
}

async function resume(api: StepsApi, entries: readonly Entry[]): Promise<void> {
  const [first] = entries
  if (first === undefined) return
  const { aspect, wanted, heldUntil, onlyIf, maxImages, boardImages } = first
  const targets = targetsOf(entries)
  if (isOfDuplicates(aspect)) return resumeGroups(api, { aspect, wanted, targets })
  const shown = showChange(api, { aspect, wanted, targets })
  const endContest = api.contested.begin(targets)
  const change = { aspect, targets, wanted, before: undefined, onlyIf, maxImages, boardImages }
  const action = { aspect, wanted, count: targets.length }
  const options = { aspect, wanted, targets, before: () => undefined }
  const isPaused = heldUntil === PAUSED
  // The rest of a paused change can be small, and only the list can resume it.
  const isListed = !isAlone(aspect) && (isBulk(action) || isPaused)
  const bulk = isListed ? api.bulk.begin({ action }) : undefined
  if (isPaused) bulk?.setPaused(true)
  const { step, outcome } = api.worker.take([change], {
    heldUntil,
    ...(bulk && { onPart: bulk.partDone }),
  })
  bulk?.attach(step, (names) => takeStep(api, { ...options, targets: names, retries: bulk }))
  const { done, failed } = await outcome
  bulk?.end(step, { done, failed })
  if (done.length === 0) shown()
  else shown.settle()
  const isUnsure = endContest() || failed.length > 0
  api.refresh.after({ aspect, wanted, isUnsure, targets: done })
}

interface GroupsChange {
  readonly aspect: DuplicatesAspect
  readonly wanted: Value
  readonly targets: readonly string[]
}

/** Sends a change of groups of duplicates. Refused groups are listed again. */
async function resumeGroups(api: StepsApi, change: GroupsChange): Promise<void> {
  const { aspect, wanted, targets } = change
  const { failed } = await api.worker.take([{ ...change, before: undefined }]).outcome
  // The answer changes images of any view.
  api.refresh.after({ aspect: 'trashed', wanted, isUnsure: true, targets })
  void api.queryClient.invalidateQueries({ queryKey: DUPLICATES_KEY })
  if (failed.length === 0) return
  const action = { aspect, wanted, count: targets.length }
  const again = { ...change, targets: failed.map(({ name }) => name) }
  const retry = () => void resumeGroups(api, again)
  api.emit({ kind: 'refused', action, failed, doneCount: 0, isListed: false, retry })
}

const groupOf = ({ aspect, wanted, heldUntil, onlyIf, boardImages }: Entry): string =>
  JSON.stringify([aspect, wanted, heldUntil, onlyIf, boardImages?.names.length])
