import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './project-root.ts'

/**
 * Returns the lines that keep state in a module: variables, and collections that begin empty. The state of the page is
 * in what `createGalleryApi` returns, or in small stores of view state.
 */
const moduleStateIn = (source: string): string[] =>
  source.match(
    /^(?:export )?(?:(?:let|var) .*|const \w+(?:: (?:Weak)?(?:Map|Set)<.*>)? = (?:new (?:Weak)?(?:Map|Set)\b.*\(\)|memoizeLast\(.*)|const \w+: (?!readonly\b).*\[\] = \[\])$/gm,
  ) ?? []

test('the modules of the gallery keep no state', async () => {
  const files = glob('src/gallery/**/*.{ts,tsx}', {
    cwd: projectRoot,
    exclude: (name) => /\.test\.tsx?$/.test(name),
  })
  const found: string[] = []
  let count = 0
  for await (const file of files) {
    count += 1
    const source = readFileSync(join(projectRoot, file), 'utf8')
    found.push(...moduleStateIn(source).map((line) => `${file}: ${line}`))
  }

  expect(count).toBeGreaterThan(300)
  expect(found).toEqual([])
})

test.each([
  'let read = null',
  'export let count = 0',
  'const known = new Map<string, number>()',
  'const seen = new WeakSet()',
  'const waiting: string[] = []',
  'const shownOf = memoizeLast(generationsOf)',
])('finds %s', (line) => {
  expect(moduleStateIn(`import './a.ts'\n\n${line}\n`)).toEqual([line])
})

test.each([
  '  let read = null',
  "const names = new Map([['a', 1]])",
  'const NONE: readonly string[] = []',
  'const NO_NAMES: ReadonlySet<string> = new Set()',
])('allows %s', (line) => {
  expect(moduleStateIn(line)).toEqual([])
})
