import type { NormalMetadata } from '#contract/metadata.ts'
import { isObject } from './parse-embedded-json.ts'

/** What one source says; what it does not say is absent. */
export type NormalFields = Partial<Omit<NormalMetadata, 'raw' | 'generator' | 'is_unread'>>

/** The longest prompt that is taken over; what lies beyond stays in `raw`. */
const MAX_TEXT_LENGTH = 50_000
const MAX_NAME_LENGTH = 500

/** A text that says something, else null. */
export const textOf = (value: unknown, maxLength = MAX_TEXT_LENGTH): string | null => {
  if (typeof value !== 'string') return null
  const text = cleanText(value).trim().slice(0, maxLength).toWellFormed()
  return text === '' ? null : text
}

/** A short text, such as a model's name. */
export const nameOf = (value: unknown): string | null => textOf(value, MAX_NAME_LENGTH)

/** A finite number, also where it was written as text. */
export const numberOf = (value: unknown): number | null => {
  if (typeof value === 'string' && value.trim() === '') return null
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** A whole number that JSON can carry: beyond 2^53 it is rounded. */
export const integerOf = (value: unknown): number | null => {
  const number = numberOf(value)
  if (number === null) return null
  const whole = Math.round(number)
  return Math.abs(whole) <= 2 ** 64 ? whole : null
}

/** A seed to its last digit: ComfyUI draws them from 64 bits, of which a number holds 53. */
export const seedOf = (value: unknown): number | string | null => {
  const digits = typeof value === 'string' ? value.trim() : ''
  const isLarge = /^[1-9]\d{15,19}$/.test(digits) && !Number.isSafeInteger(Number(digits))
  return isLarge ? digits : integerOf(value)
}

/** An object's member, where there is one. */
export const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) ? value[key] : undefined

/** A model file's name as people know it: without folders and extension. */
export const modelNameOf = (value: unknown): string | null => {
  const name = nameOf(value)
  if (name === null) return null
  const file = name.split(/[\\/]/).at(-1) ?? name
  return file.replace(/\.(?:safetensors|ckpt|pt|pth|bin|gguf|sft)$/i, '')
}

/** Text as databases and search take it: no NUL, no half of a surrogate pair. */
export const cleanText = (text: string): string =>
  text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed()
