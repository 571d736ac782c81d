/** By what images are alike: how they look, the words of their prompts, or their model, LoRAs and other parameters. */
export type LikenessKind = 'picture' | 'prompt' | 'parameters'
export const likenesses: readonly LikenessKind[] = ['picture', 'prompt', 'parameters']

/** The value of a condition `like`. */
export interface LikeValue {
  readonly by: LikenessKind
  readonly imageName: string
}

/** Returns the value of a condition such as `like:NAME` or `like:prompt:NAME`. null: it has no name. */
export const likeValueIn = (text: string): LikeValue | null => {
  const [, kind, imageName = ''] = /^(?:([a-z]+):)?([^\s:]+)$/i.exec(text.trim()) ?? []
  const by = likenesses.find((each) => each === (kind ?? 'picture').toLowerCase())
  return by === undefined || imageName === '' ? null : { by, imageName }
}

/** Writes the condition that finds images like one. */
export const likeCondition = ({ by, imageName }: LikeValue): string =>
  by === 'picture' ? `like:${imageName}` : `like:${by}:${imageName}`

/** Names of colors, as in CSS. */
const colorNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ black: '000000', white: 'ffffff', gray: '808080', grey: '808080', red: 'ff0000' },
    ...{ orange: 'ffa500', yellow: 'ffff00', green: '008000', cyan: '00ffff', blue: '0000ff' },
    ...{ purple: '800080', magenta: 'ff00ff', pink: 'ffc0cb', brown: 'a52a2a', teal: '008080' },
  }),
)

/** Returns the red, green and blue of a color such as `#ff8800`, `#f80` or `orange`, 0 to 255. null: it is no color. */
export const colorIn = (text: string): readonly [number, number, number] | null => {
  const name = text.trim().toLowerCase()
  const digits = (colorNames.get(name) ?? name).replace(/^#/, '')
  if (!/^(?:[0-9a-f]{3}|[0-9a-f]{6})$/.test(digits)) return null
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const channel = (at: number) => Number.parseInt(long.slice(at, at + 2), 16)
  return [channel(0), channel(2), channel(4)]
}

/** Writes red, green and blue, 0 to 255, as a color: `#ff8800`. */
export const colorText = (color: readonly number[]): string =>
  `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
