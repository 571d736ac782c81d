/** The shades of the colors of tags, which are readable on both themes. */
const SHADES: Readonly<Record<string, string>> = {
  red: '#e5484d',
  orange: '#f0802b',
  yellow: '#d9a50b',
  green: '#3f9c56',
  teal: '#1a9c94',
  blue: '#3f7bea',
  purple: '#8a5cd6',
  pink: '#d6469b',
  gray: '#85858f',
}

/** The color of a tag. Without one it is a ring. */
export const TagDot = ({ color }: { color: string | null }) => (
  <span
    aria-hidden
    className={`block shrink-0 rounded-full ${color === null ? 'border border-muted' : ''}`}
    style={{
      width: 10,
      height: 10,
      ...(color !== null && { background: SHADES[color] ?? SHADES.gray }),
    }}
  />
)
