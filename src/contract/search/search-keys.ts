import { generatorIds, generators } from '#contract/generators.ts'
import { imageFormats } from '#contract/image-formats.ts'
import { videoFormats } from '#contract/videos/video-formats.ts'

/** The form of the values of a key, and how they are compared. */
export type SearchKeyKind = 'text' | 'number' | 'date' | 'choice'

interface SearchKeyDefinition {
  readonly kind: SearchKeyKind
  /** For people who choose a key from a list. */
  readonly label: string
  readonly example: string
  /** The values of a choice. */
  readonly choices?: readonly string[]
  /** The unit of a number. Default: none. */
  readonly unit?: 'bytes' | 'seconds' | 'pixels'
  /** True if the server can list the values that a library has. */
  readonly isListed?: true
}

const imageTypes = Object.values({ ...imageFormats, ...videoFormats }).map(
  ({ extensions: [extension] }) => extension,
)

/** The keys of conditions, such as `model` in `model:flux`. */
export const searchKeys = {
  model: { kind: 'text', label: 'Model', example: 'model:flux', isListed: true },
  lora: { kind: 'text', label: 'LoRA', example: 'lora:film', isListed: true },
  sampler: { kind: 'text', label: 'Sampler', example: 'sampler:euler', isListed: true },
  scheduler: { kind: 'text', label: 'Scheduler', example: 'scheduler:karras', isListed: true },
  generator: { kind: 'text', label: 'Generator', example: 'generator:comfyui', isListed: true },
  prompt: { kind: 'text', label: 'Prompt', example: 'prompt:castle' },
  negative: { kind: 'text', label: 'Negative prompt', example: 'negative:blurry' },
  name: { kind: 'text', label: 'File name', example: 'name:IMG_' },
  board: { kind: 'text', label: 'Board', example: 'board:"Best of"', isListed: true },
  group: { kind: 'text', label: 'Group of boards', example: 'group:Clients' },
  tag: { kind: 'text', label: 'Tag', example: 'tag:keep', isListed: true },
  rating: { kind: 'number', label: 'Rating', example: 'rating>=4' },
  seed: { kind: 'text', label: 'Seed', example: 'seed:1234' },
  steps: { kind: 'number', label: 'Steps', example: 'steps>20' },
  cfg: { kind: 'number', label: 'CFG scale', example: 'cfg:6.5..8' },
  width: { kind: 'number', label: 'Width', example: 'width:1024', unit: 'pixels' },
  height: { kind: 'number', label: 'Height', example: 'height<768', unit: 'pixels' },
  size: { kind: 'number', label: 'Longer side', example: 'size>=1024', unit: 'pixels' },
  bytes: { kind: 'number', label: 'File size', example: 'bytes>5mb', unit: 'bytes' },
  duration: { kind: 'number', label: 'Duration', example: 'duration>5', unit: 'seconds' },
  shape: {
    kind: 'choice',
    label: 'Shape',
    example: 'shape:portrait',
    choices: ['landscape', 'portrait', 'square'],
  },
  type: { kind: 'choice', label: 'Format', example: 'type:png', choices: imageTypes },
  kind: { kind: 'choice', label: 'Kind', example: 'kind:video', choices: ['image', 'video'] },
  is: { kind: 'choice', label: 'Is', example: 'is:starred', choices: ['starred', 'animated'] },
  has: {
    kind: 'choice',
    label: 'Has',
    example: 'has:workflow',
    choices: ['prompt', 'workflow', 'model', 'lora', 'seed', 'camera', 'sound', 'board', 'tag'],
  },
  like: { kind: 'text', label: 'Like an image', example: 'like:NAME' },
  color: { kind: 'text', label: 'Color', example: 'color:#ff8800' },
  camera: { kind: 'text', label: 'Camera', example: 'camera:sony', isListed: true },
  lens: { kind: 'text', label: 'Lens', example: 'lens:35mm', isListed: true },
  date: { kind: 'date', label: 'Date', example: 'date:2026-05' },
  after: { kind: 'date', label: 'Since', example: 'after:2026-05' },
  before: { kind: 'date', label: 'Before', example: 'before:2026-06-15' },
  on: { kind: 'date', label: 'On', example: 'on:yesterday' },
  added: { kind: 'date', label: 'Added', example: 'added:7d' },
} as const satisfies Readonly<Record<string, SearchKeyDefinition>>

type Keys = typeof searchKeys
type KeyOf<Kind extends SearchKeyKind> = {
  [Key in keyof Keys]: Keys[Key]['kind'] extends Kind ? Key : never
}[keyof Keys]

export type SearchKey = keyof Keys
export type TextKey = KeyOf<'text'>
export type NumberKey = KeyOf<'number'>
export type ChoiceKey = KeyOf<'choice'>
/** The keys whose values the server lists with counts. */
export type ListedKey = {
  [Key in keyof Keys]: Keys[Key] extends { isListed: true } ? Key : never
}[keyof Keys]

export const searchKeyNames = Object.keys(searchKeys) as SearchKey[]

/** Returns the definition of a key with all members. */
export const searchKey = (key: SearchKey): SearchKeyDefinition => searchKeys[key]

export const listedKeys = searchKeyNames.filter(
  (key): key is ListedKey => searchKey(key).isListed === true,
)

/** Returns the key that a text names, in any case. null: it names none. */
export const searchKeyIn = (text: string): SearchKey | null =>
  searchKeyNames.find((key) => key === text.toLowerCase()) ?? null

/** Other spellings of choices. */
const spellings: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.values({ ...imageFormats, ...videoFormats }).flatMap(({ extensions }) =>
      extensions.map((extension) => [extension, extensions[0]]),
    ),
  ),
  images: 'image',
  videos: 'video',
}

/** Returns the choice that a text names. null: it names none. */
export const choiceIn = (key: ChoiceKey, text: string): string | null => {
  const choices: readonly string[] = searchKeys[key].choices
  const choice = text.toLowerCase()
  return [choice, spellings[choice]].find((each) => choices.includes(each ?? '')) ?? null
}

/** The choices of the key `type`, by media type. */
export const typeNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...imageFormats, ...videoFormats }).map(([mediaType, { extensions }]) => [
    mediaType,
    extensions[0],
  ]),
)

/** Returns the generators whose ID or name a test accepts. */
export const generatorsThat = (accepts: (name: string) => boolean) =>
  generatorIds.filter((id) => accepts(id) || accepts(generators[id].name))
