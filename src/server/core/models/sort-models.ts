import type { ModelOrder } from '#contract/models/model.ts'
import type { ModelFile } from './model-ports.ts'

const names = new Intl.Collator('en', { numeric: true })

type Comparison = (a: ModelFile, b: ModelFile) => number

const byText =
  (field: 'type' | 'base' | 'name' | 'format' | 'path'): Comparison =>
  (a, b) =>
    names.compare(a.record[field], b.record[field])

const byName = byText('name')

const comparisons: Readonly<Record<ModelOrder, readonly Comparison[]>> = {
  default: [byText('type'), byText('base'), byName],
  type: [byText('type'), byName],
  base: [byText('base'), byName],
  name: [byName],
  format: [byText('format'), byName],
  size: [(a, b) => a.record.file_size - b.record.file_size, byName],
  created_at: [(a, b) => a.createdMs - b.createdMs, byName],
  updated_at: [(a, b) => a.modifiedMs - b.modifiedMs, byName],
  path: [byText('path')],
}

/** Puts broken files last in every order, so that a client that takes the first model gets one that loads. */
const brokenLast: Comparison = (a, b) => Number(isBroken(a)) - Number(isBroken(b))
const isBroken = ({ record }: ModelFile) => (record.fault ?? null) !== null

/** Sorts models. Equal models are sorted by path, so that the order is stable. */
export function sortModels(
  models: readonly ModelFile[],
  orderBy: ModelOrder,
  direction: 'ASC' | 'DESC',
): ModelFile[] {
  const all = [...comparisons[orderBy], byText('path')]
  const sign = direction === 'ASC' ? 1 : -1
  return models.toSorted((a, b) => {
    const broken = brokenLast(a, b)
    if (broken !== 0) return broken
    for (const compare of all) {
      const compared = compare(a, b)
      if (compared !== 0) return sign * compared
    }
    return 0
  })
}
