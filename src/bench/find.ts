import { reportFigures } from './figures.ts'
import { findMeasures, longSearches } from './records/find-measures.ts'
import { bench, recordsBenchOptions } from './records.ts'

/** Measures searches with conditions, facets and insights on libraries of several sizes, as `records` measures lists. */
if (import.meta.main) {
  const options = { ...recordsBenchOptions(), measures: findMeasures, longWork: longSearches }
  reportFigures('find', await bench(options))
}
