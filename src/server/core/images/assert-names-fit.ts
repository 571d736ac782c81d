import { MAX_NAMES_PER_REQUEST } from '#contract/limits.ts'
import { Refusal } from '#server/core/refusal.ts'

/** @throws {Refusal} `too_many_names`. */
export const assertNamesFit = (...lists: readonly (readonly string[])[]): void => {
  const count = lists.reduce((sum, names) => sum + names.length, 0)
  if (count > MAX_NAMES_PER_REQUEST) throw new Refusal('too_many_names')
}
