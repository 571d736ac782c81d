import type { RawBuilder } from 'kysely'
import type { IdSet, Ids } from '#server/storage/sql/id-set.ts'
import type { Column, ColumnName } from '#server/storage/sql/properties/columns.ts'
import type { Db } from '#server/storage/sql/tables.ts'
import type { Expression, Word } from './parse-query.ts'
import type { LikeTerm } from './ranking-term.ts'

/** Returns a condition on a column of ids. */
export type Restriction = (column: string) => RawBuilder<boolean>

/** The state of a library in which terms are evaluated. Sets may contain images in the trash. */
export interface SearchSource {
  db: Db
  column(name: ColumnName): Promise<Column>
  /** Returns pairs of image and tag. Deleted and merged tags are included. */
  tags(): Promise<Uint32Array>
  /**
   * Returns the images that a query selects by values that change only with the metadata.
   *
   * @param select - Restricts the query by a condition on a column of ids.
   */
  matches(key: string, select: (restrict: Restriction) => Ids): Promise<IdSet>
  /** Returns the images that the words match by their texts or by the name of their board. */
  words(words: readonly Word[]): Promise<IdSet>
  /** Returns the images whose texts match. */
  texts(expression: Expression): Promise<IdSet>
  /** Returns the images that match a condition on likeness, the best first. Each condition is computed once. */
  like(term: LikeTerm): Promise<Uint32Array>
}
