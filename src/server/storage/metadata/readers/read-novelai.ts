import { type FoundMetadata, firstOf } from '#server/storage/metadata/found-metadata.ts'
import {
  integerOf,
  memberOf,
  type NormalFields,
  nameOf,
  numberOf,
  seedOf,
  textOf,
} from '#server/storage/metadata/normal-fields.ts'

const MAX_CHARACTERS = 50

/** Settings without a field of their own, by the label for people. */
const labels: Record<string, string> = {
  request_type: 'Request',
  cfg_rescale: 'Prompt guidance rescale',
  uncond_scale: 'Undesired content strength',
  sm: 'SMEA',
  sm_dyn: 'SMEA DYN',
  dynamic_thresholding: 'Decrisper',
  strength: 'Strength',
  noise: 'Noise',
}

type Json = Record<string, unknown>

/** Returns the settings: the `Comment`, or an object that contains it as text, as in WebP files and hidden texts. */
const settingsIn = (text: string, json: FoundMetadata['json']): Json | null => {
  const outer = json(text)
  const settings = typeof outer?.Comment === 'string' ? json(outer.Comment) : outer
  const isNovelai =
    settings !== null &&
    ('v4_prompt' in settings ||
      'signed_hash' in settings ||
      ('uc' in settings && 'prompt' in settings && 'scale' in settings))
  return isNovelai ? settings : null
}

const settingsOf = ({ texts, blocks, hidden, json }: FoundMetadata): Json | null =>
  firstOf([texts.get('Comment') ?? '', ...blocks, hidden ?? ''], (text) => settingsIn(text, json))

/** Returns the model, such as `NovelAI Diffusion V4.5 4BDE2A90`. */
const sourceOf = ({ texts, blocks, hidden, exif, json }: FoundMetadata): string | null =>
  nameOf(texts.get('Source')) ??
  firstOf([...blocks, hidden ?? ''], (text) => nameOf(json(text)?.Source)) ??
  nameOf(exif?.texts.Source)

/** Returns true if NovelAI wrote the file. */
export const isNovelai = (found: FoundMetadata): boolean =>
  settingsOf(found) !== null ||
  (/novelai/i.test(found.software) && (found.texts.has('Description') || found.hidden !== null))

const captionOf = (prompt: unknown): unknown => memberOf(prompt, 'caption')

const charactersOf = (settings: Json): NonNullable<NormalFields['characters']> => {
  const of = (prompt: unknown): (string | null)[] => {
    const captions = memberOf(captionOf(prompt), 'char_captions')
    const known = Array.isArray(captions) ? captions.slice(0, MAX_CHARACTERS) : []
    return known.map((caption) => textOf(memberOf(caption, 'char_caption')))
  }
  const [positive, negative] = [of(settings.v4_prompt), of(settings.v4_negative_prompt)]
  return Array.from({ length: Math.max(positive.length, negative.length) }, (_, index) => ({
    prompt: positive[index] ?? null,
    negative_prompt: negative[index] ?? null,
  })).filter((character) => character.prompt !== null || character.negative_prompt !== null)
}

const labelledSettings = (settings: Json, hash: string | undefined): Record<string, string> => {
  const written = Object.entries(labels).flatMap(([key, label]): [string, string][] => {
    const value = settings[key]
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
    return isPlain && value !== false ? [[label, String(value).slice(0, 200)]] : []
  })
  return Object.fromEntries(hash === undefined ? written : [...written, ['Model hash', hash]])
}

/** Reads the metadata of NovelAI, v1 to v4.5, from PNG texts, EXIF or the pixels. */
export const readNovelai = (found: FoundMetadata): NormalFields => {
  const settings = settingsOf(found) ?? {}
  const [, model = null, hash] =
    /^(.{1,100}?)(?:\s+([0-9A-F]{8}))?$/.exec(sourceOf(found) ?? '') ?? []
  const base = (prompt: unknown) => textOf(memberOf(captionOf(prompt), 'base_caption'))
  return {
    prompt:
      base(settings.v4_prompt) ?? textOf(settings.prompt) ?? textOf(found.texts.get('Description')),
    negative_prompt: base(settings.v4_negative_prompt) ?? textOf(settings.uc),
    model,
    generator_version: model?.startsWith('NovelAI') ? model : null,
    seed: seedOf(settings.seed),
    steps: integerOf(settings.steps),
    cfg_scale: numberOf(settings.scale),
    sampler: nameOf(settings.sampler),
    scheduler: nameOf(settings.noise_schedule),
    width: integerOf(settings.width),
    height: integerOf(settings.height),
    characters: charactersOf(settings),
    parameters: labelledSettings(settings, hash),
  }
}
