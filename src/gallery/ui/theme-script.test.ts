import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

const script = readFileSync(new URL('../../../public/theme.js', import.meta.url), 'utf8')

/** Returns the theme that public/theme.js applies before the first paint. */
function themeDrawn(chosen: string | null, isSystemDark: boolean): string | undefined {
  const bar = { content: '' }
  const root: { dataset: { theme?: string } } = { dataset: {} }
  runInNewContext(script, {
    localStorage: { getItem: (key: string) => (key === 'tessera:theme' ? chosen : null) },
    matchMedia: () => ({ matches: isSystemDark }),
    document: { documentElement: root, querySelector: () => bar },
  })
  return root.dataset.theme
}

test.each([
  [null, false, 'light'],
  [null, true, 'dark'],
  ['system', true, 'dark'],
  ['light', true, 'light'],
  ['dark', false, 'dark'],
])('applies the chosen theme %j with a dark system %j as %s', (chosen, isSystemDark, drawn) => {
  expect(themeDrawn(chosen, isSystemDark)).toBe(drawn)
})
