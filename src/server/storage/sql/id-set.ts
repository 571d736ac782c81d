import { endianness } from 'node:os'
import { type RawBuilder, sql } from 'kysely'
import { dialectOf } from './dialect.ts'
import type { Db } from './tables.ts'

export type Ids = RawBuilder<{ id: number }>

const COMMA = 44
const ZERO = 48

/** Reads ids in order, as one value: a million rows as objects take a third of a second and 100 MB. */
export const readIds = async (db: Db, query: Ids): Promise<Uint32Array> => {
  const { rows } = await sql<{ ids: string | Uint8Array | null }>`
    SELECT ${dialectOf(db).packedIds('id')} AS ids FROM (${query}) AS found`.execute(db)
  const ids = rows[0]?.ids ?? ''
  return typeof ids === 'string' ? parseIds(ids) : unpackIds(ids)
}

/** Reads ids of four bytes, the most significant one first. */
const unpackIds = (bytes: Uint8Array): Uint32Array => {
  const copy = new Uint8Array(bytes) // A view of ids must begin at a multiple of four.
  if (endianness() === 'LE') Buffer.from(copy.buffer).swap32()
  return new Uint32Array(copy.buffer)
}

/** Parses the numbers of a text such as `1,22,3`. */
export const parseIds = (text: string): Uint32Array => {
  let count = text === '' ? 0 : 1
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === COMMA) count += 1
  const ids = new Uint32Array(count)
  let index = 0
  forEachNumber(text, (id) => {
    ids[index++] = id
  })
  return ids
}

/** Calls `use` with each number of a text such as `1,22,3`, without building an array. */
export const forEachNumber = (text: string, use: (number: number) => void): void => {
  if (text === '') return
  let number = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === COMMA) {
      use(number)
      number = 0
    } else number = number * 10 + code - ZERO
  }
  use(number)
}

/** `filter` of a typed array with a million ids takes four times as long. */
export const filterIds = (ids: Uint32Array, isKept: (id: number) => boolean): Uint32Array => {
  const remaining = new Uint32Array(ids.length)
  let count = 0
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0
    if (isKept(id)) remaining[count++] = id
  }
  return remaining.slice(0, count)
}

/** Returns all ids of some lists, one list after the other. */
export const joinIds = ([
  first = new Uint32Array(0),
  ...others
]: readonly Uint32Array[]): Uint32Array => {
  if (others.length === 0) return first
  const all = new Uint32Array(others.reduce((sum, { length }) => sum + length, first.length))
  all.set(first)
  let at = first.length
  for (const ids of others) {
    all.set(ids, at)
    at += ids.length
  }
  return all
}

/** Returns the number of bits of a 32-bit number that are 1. */
const bitCount = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** A set of image ids, one bit each: 125 kB for a million images. */
export class IdSet {
  #bits: Uint32Array
  #size = 0

  constructor(ids: Uint32Array = new Uint32Array(0)) {
    this.#bits = new Uint32Array(0)
    this.addAll(ids)
  }

  get size(): number {
    return this.#size
  }

  get byteLength(): number {
    return this.#bits.byteLength
  }

  has(id: number): boolean {
    return (((this.#bits[id >>> 5] ?? 0) >>> (id & 31)) & 1) === 1
  }

  /** Returns those of some ids that the set has, in their order. */
  choose(ids: Uint32Array): Uint32Array {
    return this.#split(ids, 1)
  }

  /** Returns those of some ids that the set does not have, in their order. */
  leaveOut(ids: Uint32Array): Uint32Array {
    return this.#split(ids, 0)
  }

  /** Reads the bits directly: a call of `has` for each of a million ids takes several times as long. */
  #split(ids: Uint32Array, wanted: 0 | 1): Uint32Array {
    const bits = this.#bits
    const chosen = new Uint32Array(ids.length)
    let count = 0
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] ?? 0
      if ((((bits[id >>> 5] ?? 0) >>> (id & 31)) & 1) === wanted) chosen[count++] = id
    }
    return chosen.slice(0, count)
  }

  addAll(ids: Uint32Array): void {
    let last = 0
    for (let at = 0; at < ids.length; at += 1) last = Math.max(last, ids[at] ?? 0)
    const words = (last >>> 5) + 1
    if (words > this.#bits.length) {
      const bits = new Uint32Array(Math.ceil(words * 1.1))
      bits.set(this.#bits)
      this.#bits = bits
    }
    for (const id of ids) {
      if (this.has(id)) continue
      this.#bits[id >>> 5] = (this.#bits[id >>> 5] ?? 0) | (1 << (id & 31))
      this.#size += 1
    }
  }

  /** Removes the ids from `first` to `last`. */
  removeRange(first: number, last: number): void {
    for (let id = first; id <= Math.min(last, this.#bits.length * 32 - 1); id += 1) {
      if (!this.has(id)) continue
      this.#bits[id >>> 5] = (this.#bits[id >>> 5] ?? 0) & ~(1 << (id & 31))
      this.#size -= 1
    }
  }

  /** Returns the set of the ids whose bits are set. The set takes over the array. */
  static ofBits(bits: Uint32Array): IdSet {
    const set = new IdSet()
    set.#bits = bits
    for (const word of bits) set.#size += bitCount(word)
    return set
  }

  /** Returns the ids that both sets have. */
  and(other: IdSet): IdSet {
    const length = Math.min(this.#bits.length, other.#bits.length)
    return this.#combined(length, other, (one, two) => one & two)
  }

  /** Returns the ids that at least one of the sets has. */
  or(other: IdSet): IdSet {
    const length = Math.max(this.#bits.length, other.#bits.length)
    return this.#combined(length, other, (one, two) => one | two)
  }

  /** Returns the ids from 0 to `last` that the set does not have. */
  not(last: number): IdSet {
    return this.#combined((last >>> 5) + 1, this, (one) => ~one)
  }

  #combined(length: number, other: IdSet, combine: (one: number, two: number) => number): IdSet {
    const bits = new Uint32Array(length)
    const [ones, twos] = [this.#bits, other.#bits]
    for (let at = 0; at < length; at += 1) bits[at] = combine(ones[at] ?? 0, twos[at] ?? 0)
    return IdSet.ofBits(bits)
  }

  ids(): Uint32Array {
    const ids = new Uint32Array(this.#size)
    let index = 0
    for (const [at, word] of this.#bits.entries())
      for (let bits = word; bits !== 0; bits &= bits - 1)
        ids[index++] = at * 32 + 31 - Math.clz32(bits & -bits)
    return ids
  }
}
