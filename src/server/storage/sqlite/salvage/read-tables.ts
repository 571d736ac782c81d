import type { DatabasePages } from './database-pages.ts'
import { type PageCells, readCells, type StoredRow } from './page-cells.ts'
import type { TableShape } from './table-shapes.ts'

/** A table of a damaged database, as far as it was read. */
export interface FoundTable {
  name: string
  /** False if pages or rows of it cannot be read. */
  isWhole: boolean
}

export interface FoundRow extends StoredRow {
  table: string
  /** True: no page of a tree leads to it, so that it may be an old version or a deleted row. */
  isLoose: boolean
}

/**
 * Reads the rows of tables from the pages of a database, whatever is left of it. First it follows the trees of the
 * tables, then it takes the pages that no tree leads to and recognises the table by the types of the values.
 */
export class TableReader {
  readonly #pages: DatabasePages
  readonly shapes: readonly TableShape[]
  readonly #visited = new Set<number>()
  readonly tables = new Map<string, FoundTable>()
  /** Numbers of pages of trees that cannot be read. */
  readonly damaged = new Set<number>()

  constructor(pages: DatabasePages, shapes: readonly TableShape[]) {
    this.#pages = pages
    this.shapes = shapes
    for (const { name } of shapes) this.tables.set(name, { name, isWhole: false })
  }

  *rows(): Generator<FoundRow> {
    const roots = this.#readRoots()
    for (const found of this.tables.values()) {
      const root = roots.get(found.name)
      if (root === undefined) continue
      found.isWhole = true
      for (const cells of this.#walk(root, found)) {
        for (const row of cells.rows) yield { ...row, table: found.name, isLoose: false }
      }
    }
    if ([...this.tables.values()].some(({ isWhole }) => !isWhole)) yield* this.#looseRows()
  }

  /** Reads the root pages of all tables from the schema, whose root is page 1. */
  #readRoots(): Map<string, number> {
    const schema: FoundTable = { name: 'sqlite_schema', isWhole: true }
    this.tables.set(schema.name, schema)
    const roots = new Map<string, number>()
    for (const { rows } of this.#walk(1, schema)) {
      for (const { values } of rows) {
        const [type, name, , root] = values
        if (type === 'table' && typeof name === 'string' && Number(root) > 0) {
          roots.set(name, Number(root))
        }
      }
    }
    this.tables.delete(schema.name)
    return roots
  }

  *#walk(root: number, found: FoundTable): Generator<PageCells> {
    const waiting = [root]
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      // A page that is in two trees belongs to one of them only.
      const cells = this.#visited.has(page) ? null : readCells(this.#pages, page)
      if (cells === null || cells.damaged > 0) {
        found.isWhole = false
        this.damaged.add(page)
      }
      if (cells === null) continue
      this.#visited.add(page)
      waiting.push(...cells.children)
      yield cells
    }
  }

  *#looseRows(): Generator<FoundRow> {
    for (let page = 2; page <= this.#pages.count; page += 1) {
      const cells = this.#visited.has(page) ? null : readCells(this.#pages, page)
      if (cells === null || cells.kind !== 'leaf' || !cells.hasRowids) continue
      for (const row of cells.rows) {
        const table = this.#tableOf(row)
        if (table !== null) yield { ...row, table, isLoose: true }
      }
    }
  }

  /** Returns the only table that can have the row and misses some. Short rows fit too many tables. */
  #tableOf({ values }: StoredRow): string | null {
    const fitting = values.length < 3 ? [] : this.shapes.filter((shape) => fits(shape, values))
    const [first, ...others] = fitting
    if (first === undefined || others.length > 0) return null
    return this.tables.get(first.name)?.isWhole === false ? first.name : null
  }
}

const fits = ({ columns }: TableShape, values: StoredRow['values']): boolean =>
  values.length <= columns.length &&
  columns.every(({ type, isRequired, isRowid }, at) => {
    const value = values[at]
    // An older version wrote the row, without columns that were added since.
    if (value === undefined) return !isRequired
    if (isRowid) return value === null
    if (value === null) return !isRequired
    if (type === 'TEXT') return typeof value === 'string'
    if (type === 'BLOB') return Buffer.isBuffer(value)
    return typeof value === 'number' || typeof value === 'bigint'
  })
