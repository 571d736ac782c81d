import type { ImageCategory } from '#contract/image.ts'

/** Images of some categories, as a person chooses them and an address names them. */
export interface ImageKind {
  readonly word: string
  readonly label: string
  /** Empty: every category. */
  readonly categories: readonly ImageCategory[]
}

export const EVERY_KIND: ImageKind = { word: 'all', label: 'All kinds', categories: [] }

/** What InvokeAI's gallery parts into Images and Assets. */
export const BROAD_KINDS: readonly ImageKind[] = [
  EVERY_KIND,
  { word: 'images', label: 'Images', categories: ['general'] },
  { word: 'assets', label: 'Uploads and others', categories: ['control', 'mask', 'user', 'other'] },
]

export const SINGLE_KINDS: readonly ImageKind[] = [
  { word: 'control', label: 'Control images', categories: ['control'] },
  { word: 'mask', label: 'Masks', categories: ['mask'] },
  { word: 'user', label: 'Uploads', categories: ['user'] },
  { word: 'other', label: 'Others', categories: ['other'] },
]

const KINDS = [...BROAD_KINDS, ...SINGLE_KINDS]

/** A kind as an address names it; every kind where it names none that there is. */
export const kindNamed = (word: string | null): ImageKind =>
  KINDS.find((kind) => kind.word === word) ?? EVERY_KIND

/** The kind that is made of these categories. */
export const kindOf = (categories: readonly ImageCategory[] = []): ImageKind =>
  KINDS.find((kind) => kind.categories.join() === categories.join()) ?? EVERY_KIND
