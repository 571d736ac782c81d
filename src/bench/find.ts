import { reportFigures } from './figures.ts'
import { findMeasures } from './records/find-measures.ts'
import { bench, recordsBenchOptions } from './records.ts'

/** Measures searches with conditions, facets and insights on libraries of several sizes, as `records` measures lists. */
if (import.meta.main)
  reportFigures('find', await bench({ ...recordsBenchOptions(), measures: findMeasures }))
