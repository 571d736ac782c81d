import type { ModelOrder } from '#contract/model.ts'
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

/** Models in an order. Among equals the path decides, so that it is always the same. */
export function inOrder(
  models: readonly ModelFile[],
  orderBy: ModelOrder,
  direction: 'ASC' | 'DESC',
): ModelFile[] {
  const all = [...comparisons[orderBy], byText('path')]
  const sign = direction === 'ASC' ? 1 : -1
  return models.toSorted((a, b) => {
    for (const compare of all) {
      const compared = compare(a, b)
      if (compared !== 0) return sign * compared
    }
    return 0
  })
}
