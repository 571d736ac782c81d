import type { BatchDatum, NodeFieldValue } from '#contract/queue/queue.ts'

type Value = NodeFieldValue['value']

/** The expanded `data` and `runs` of a batch. */
export interface Expansion {
  /** Number of requested items: `runs` times the lengths of all groups. */
  requested: number
  /** Field values of each of the first `limit` items. */
  fieldValues: NodeFieldValue[][]
}

/**
 * Expands the `data` of a batch as InvokeAI does: zips the items inside a group, multiplies the groups with the last
 * one varying fastest, and repeats the result `runs` times. Without groups there is one item per run; a group without
 * items gives no items.
 *
 * @param data - Valid data, see `dataFault`.
 */
export const expandData = (
  data: readonly (readonly BatchDatum[])[],
  runs: number,
  limit: number,
): Expansion => {
  const groups = data.map(zip)
  const combinations = groups.reduce((product, group) => product * group.length, 1)
  const requested = Math.min(runs * combinations, Number.MAX_SAFE_INTEGER)
  const fieldValues = Array.from({ length: Math.min(requested, limit) }, (_, index) =>
    combination(groups, index % combinations),
  )
  return { requested, fieldValues }
}

/** Zips a group: returns the values of all its inputs for each step. */
const zip = (group: readonly BatchDatum[]): NodeFieldValue[][] =>
  (group[0]?.items ?? []).map((_, step) =>
    group.map(({ node_path, field_name, items }) => ({
      node_path,
      field_name,
      value: items?.[step] as Value, // of equal length
    })),
  )

/** Returns the combination at an index, read as a mixed-radix number with one digit per group. */
const combination = (groups: readonly NodeFieldValue[][][], index: number): NodeFieldValue[] => {
  const steps: NodeFieldValue[][] = []
  let rest = index
  for (const group of groups.toReversed()) {
    steps.unshift(group[rest % group.length] ?? [])
    rest = Math.floor(rest / group.length)
  }
  return steps.flat()
}

/** Returns InvokeAI's error message if `data` cannot be expanded, otherwise null. */
export const dataFault = (data: readonly (readonly BatchDatum[])[]): string | null => {
  if (!data.every(isZippable)) return 'Zipped batch items must all have the same length'
  if (!data.flat().every(({ items = [] }) => hasOneType(items))) {
    return 'All items in a batch must have the same type'
  }
  const inputs = data.flat().map((datum) => JSON.stringify([datum.node_path, datum.field_name]))
  const isUnique = new Set(inputs).size === inputs.length
  return isUnique ? null : 'Each batch data must have unique node_id and field_name'
}

const isZippable = (group: readonly BatchDatum[]): boolean =>
  group.every(({ items = [] }) => items.length === (group[0]?.items ?? []).length)

const hasOneType = (items: readonly Value[]): boolean => new Set(items.map(typeOf)).size <= 1

const typeOf = (value: Value): string => (Array.isArray(value) ? 'list' : typeof value)
