import pLimit from 'p-limit'
import { systemCode } from '#server/storage/disk/system-errors.ts'
import { fileReason } from '#server/storage/disk/system-path.ts'
import { checkCounters } from '#server/storage/sql/upkeep/repair.ts'
import { DAMAGED, type ImageToCopy, imageOf, MISSING } from './copy-files.ts'
import { faultsAsRefusals } from './faults.ts'
import {
  type CopiedTable,
  copiedColumns,
  copiedTables,
  imagesTable,
  keyOf,
  pagesOf,
  type Row,
} from './library-rows.ts'
import type { Side } from './sides.ts'

/** Originals that are read at the same time. */
const CONCURRENCY = 8

/** Differences listed by name; the count includes all. */
const MAX_NAMED = 1000

export interface Comparison {
  rows: number
  images: number
  /** Bytes of the originals that are equal. */
  bytes: number
  differences: number
  /** The first 1,000 differences, each as a sentence. */
  texts: string[]
}

/**
 * Compares all rows and the bytes of all originals of two libraries. Thumbnails are not compared, because they can be
 * made again.
 *
 * @throws {Refusal} The database or the store failed.
 * @throws The reason of `signal`.
 */
export const compareLibraries = (
  source: Side,
  target: Side,
  options: CompareOptions,
): Promise<Comparison> => faultsAsRefusals(() => compare(source, target, options))

interface CompareOptions {
  signal: AbortSignal
  onProgress(comparison: Readonly<Comparison>): void
}

const compare = async (
  source: Side,
  target: Side,
  options: CompareOptions,
): Promise<Comparison> => {
  const comparison: Comparison = { rows: 0, images: 0, bytes: 0, differences: 0, texts: [] }
  const add = (text: string) => {
    comparison.differences++
    if (comparison.texts.length < MAX_NAMED) comparison.texts.push(text)
  }
  const columns = await copiedColumns(source.db, target.db)
  const limit = pLimit(CONCURRENCY)
  for (const table of copiedTables) {
    for await (const pair of pairsOf(source, target, table, columns.get(table.table) ?? [])) {
      options.signal.throwIfAborted()
      comparison.rows += pair.rows.length
      for (const text of differencesOf(pair, table, target)) add(text)
      options.onProgress(comparison)
      if (table !== imagesTable) continue
      await limit.map(pair.rows.map(imageOf), async (image) => {
        if (options.signal.aborted) return
        const text = await compareOriginals(source, target, image)
        comparison.images++
        if (text === null) comparison.bytes += image.bytes
        else add(text)
        options.onProgress(comparison)
      })
    }
  }
  for (const fault of await checkCounters(target.db)) if (fault !== null) add(fault.text)
  if ((await source.countSearched()) !== (await target.countSearched()))
    add('The search indexes have different numbers of images.')
  return comparison
}

/** A page of rows at the source, and the rows with keys of the same range at the target. */
interface PagePair {
  rows: readonly Row[]
  others: readonly Row[]
  columns: readonly string[]
}

async function* pairsOf(
  source: Side,
  target: Side,
  table: CopiedTable,
  columns: readonly string[],
): AsyncGenerator<PagePair> {
  let after: unknown = null
  for await (const rows of pagesOf(source.db, table, columns)) {
    const to = keyOf(table, rows.at(-1) ?? {})
    const others = (await Array.fromAsync(pagesOf(target.db, table, columns, { after, to }))).flat()
    yield { rows, others, columns }
    after = to
  }
  for await (const others of pagesOf(target.db, table, columns, { after })) {
    yield { rows: [], others, columns }
  }
}

function* differencesOf(
  { rows, others, columns }: PagePair,
  table: CopiedTable,
  target: Side,
): Generator<string> {
  const byKey = new Map(others.map((row) => [textOf(keyOf(table, row)), row]))
  for (const row of rows) {
    const name = nameOf(table, row)
    const other = byKey.get(textOf(keyOf(table, row)))
    byKey.delete(textOf(keyOf(table, row)))
    if (other === undefined) yield `${name} is missing in ${target.name}.`
    else {
      const different = columns.filter((column) => textOf(row[column]) !== textOf(other[column]))
      if (different.length > 0) yield `${name} differs in ${different.join(', ')}.`
    }
  }
  for (const row of byKey.values()) yield `${nameOf(table, row)} is only in ${target.name}.`
}

const nameOf = (table: CopiedTable, row: Row): string =>
  `${table.table} ${textOf(row.image_name ?? row.board_name ?? keyOf(table, row))}`

/** Returns a text that is equal for equal values. PostgreSQL stores no NUL in texts: a copy has U+FFFD in its place. */
const textOf = (value: unknown): string => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  return value === null ? '\0' : String(value)
}

/** Returns how two originals differ, as a sentence; null: both have the bytes of the record. */
const compareOriginals = async (
  source: Side,
  target: Side,
  image: ImageToCopy,
): Promise<string | null> => {
  for (const side of [source, target]) {
    const reason = await reasonAt(side, image)
    if (reason !== null) return `${image.imageName} in ${side.name}: ${reason}`
  }
  return null
}

const reasonAt = async (side: Side, image: ImageToCopy): Promise<string | null> => {
  try {
    const hash = await side.hashOf(image.imageName)
    if (hash === null) return MISSING
    return hash === image.contentHash ? null : DAMAGED
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return fileReason(error)
  }
}
