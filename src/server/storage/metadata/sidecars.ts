import { parse } from 'yaml'
import type { EmbeddedSource, Sidecars } from './found-metadata.ts'
import { memberOf } from './normal-fields.ts'
import { parseEmbeddedJson } from './parse-embedded-json.ts'
import { parseA1111 } from './readers/parse-a1111.ts'

/** Longer YAML is not parsed: its parser takes a second for a megabyte. */
const MAX_YAML_CHARACTERS = 100_000

/** The names under which generators embed a block of values, so that their readers find it. */
const BLOCKS = ['parameters', 'user_comment', 'comment'] as const

/** Returns sidecars as if their texts were embedded in a file, so that the same readers recognise them. */
export const sourceOfSidecars = (sidecars: Sidecars): EmbeddedSource => {
  const comments: { keyword: string; text: string }[] = []
  let blocks = 0
  let xmp: Buffer | null = null
  const addBlock = (text: string) => {
    const keyword = BLOCKS[blocks]
    blocks += 1
    if (keyword !== undefined) comments.push({ keyword, text })
  }
  for (const [name, text] of Object.entries(sidecars)) {
    const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
    if (extension === 'xmp') xmp ??= Buffer.from(text)
    // Other texts are captions or notes.
    else if (extension === 'txt' && parseA1111(text) !== null) addBlock(text)
    else if (extension !== 'txt') {
      const json = extension === 'json' ? text : jsonOfYaml(text)
      const keyword = json === null ? null : keywordOf(json)
      if (json !== null && keyword !== null) comments.push({ keyword, text: json })
      else if (json !== null) addBlock(json)
    }
  }
  return { comments, exif: null, xmp, given: null }
}

/** Returns the name under which a program embeds this object; null if it is one block of values. */
const keywordOf = (json: string): string | null => {
  const value = parseEmbeddedJson(json)
  if (value === null) return null
  if ('positive_prompt' in value) return 'invokeai_metadata'
  const [first] = Object.values(value)
  if (typeof memberOf(first, 'class_type') === 'string') return 'prompt'
  return Array.isArray(value.nodes) && 'links' in value ? 'workflow' : null
}

const jsonOfYaml = (text: string): string | null => {
  if (text.length > MAX_YAML_CHARACTERS) return null
  try {
    return JSON.stringify(parse(text, { maxAliasCount: 0 })) ?? null
  } catch {
    return null
  }
}
