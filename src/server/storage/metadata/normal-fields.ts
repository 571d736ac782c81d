import type { NormalMetadata } from '#contract/metadata.ts'
import { isObject } from './parse-embedded-json.ts'

/** The fields found in one source; unknown ones are absent. */
export type NormalFields = Partial<Omit<NormalMetadata, 'raw' | 'generator' | 'is_unread'>>

/** Of a prompt; the full text remains in `raw`. */
const MAX_TEXT_LENGTH = 50_000
const MAX_NAME_LENGTH = 500

export const textOf = (value: unknown, maxLength = MAX_TEXT_LENGTH): string | null => {
  if (typeof value !== 'string') return null
  const text = cleanText(value).trim().slice(0, maxLength).toWellFormed()
  return text === '' ? null : text
}

/** Returns a short text, such as a model's name. */
export const nameOf = (value: unknown): string | null => textOf(value, MAX_NAME_LENGTH)

/** Returns a finite number, also if it is written as text. */
export const numberOf = (value: unknown): number | null => {
  if (typeof value === 'string' && value.trim() === '') return null
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Returns an integer of at most 64 bits. Beyond 2^53 it is rounded. */
export const integerOf = (value: unknown): number | null => {
  const number = numberOf(value)
  if (number === null) return null
  const whole = Math.round(number)
  return Math.abs(whole) <= 2 ** 64 ? whole : null
}

/** Returns a seed with all digits: ComfyUI draws 64-bit seeds, but a number has only 53 bits. */
export const seedOf = (value: unknown): number | string | null => {
  const digits = typeof value === 'string' ? value.trim() : ''
  const isLarge = /^[1-9]\d{15,19}$/.test(digits) && !Number.isSafeInteger(Number(digits))
  return isLarge ? digits : integerOf(value)
}

/** Returns a member of an object. undefined: it has none, or is not an object. */
export const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) ? value[key] : undefined

/** Returns the name of a model file without folders and extension. */
export const modelNameOf = (value: unknown): string | null => {
  const name = nameOf(value)
  if (name === null) return null
  const file = name.split(/[\\/]/).at(-1) ?? name
  return file.replace(/\.(?:safetensors|ckpt|pt|pth|bin|gguf|sft)$/i, '')
}

/** Cleans text for the database and the search: removes NUL and replaces lone surrogates. */
export const cleanText = (text: string): string =>
  text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed()

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Returns all values of two readings of one file. The first one wins. */
export const fillIn = (first: NormalFields, second: NormalFields): NormalFields =>
  Object.fromEntries(
    [...Object.entries(second), ...Object.entries(first)].filter(([, value]) => !isEmpty(value)),
  )
