import { globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '#server/start/settings.ts'
import { anchorOf, drawHelpPage } from './help-pages.ts'
import { projectRoot } from './project-root.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: projectRoot }).sort()]

test('keeps the README short, with something to run in its first 30 lines', () => {
  const readme = read('README.md')

  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(9_000)
  expect(readme.split('\n').slice(0, 30).join('\n')).toContain('```sh\nnpm ci && npm start\n```')
  expect(readme).toContain('```sh\nnpm ci && npm test\n```')
})

test('shows three small pictures in the README', () => {
  const pictures = read('README.md').match(/docs\/pictures\/\w+\.webp/g) ?? []

  expect(pictures).toHaveLength(3)
  for (const picture of pictures)
    expect(statSync(join(projectRoot, picture)).size).toBeLessThan(300_000)
})

test('links only to files and headings that exist', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^()\s:]+)\)|src="([^":]+)"/g)].flatMap(([, link, source]) => {
      const [path = '', anchor] = (link ?? source ?? '').split('#')
      const target = path === '' ? page : join(dirname(page), path)
      const isThere = statSync(join(projectRoot, target), { throwIfNoEntry: false }) !== undefined
      if (isThere && (anchor === undefined || anchorsOf(target).includes(anchor))) return []
      return [`${page}: ${link ?? source}`]
    }),
  )

  expect(broken).toEqual([])
})

test('lists every page of docs in its index', () => {
  const index = read('docs/README.md')
  const names = globSync('docs/*.md', { cwd: projectRoot }).map((path) => basename(path))

  expect(names.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([])
})

test('documents every flag of the server, and its variable', () => {
  const configuration = read('docs/configuration.md')
  const flags = [...helpOfServer().matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, name]) => name)

  expect(flags.length).toBeGreaterThan(20)
  const missing = flags.filter((name = '') => {
    const variable = `TESSERA_${name.replaceAll('-', '_').toUpperCase()}`
    return !configuration.includes(`| \`--${name}`) || !configuration.includes(`\`${variable}\``)
  })
  expect(missing).toEqual(['version', 'help'])
})

test('draws a page of the guide with links to its other pages, and paths of other files', () => {
  const page = drawHelpPage(
    '# Import\n\n[A move](move.md#to-s3), [all](README.md), [the rules](../src/README.md).\n\n## In the page\n',
  )

  expect(page).toContain('<title>Import – Tessera</title>')
  expect(page).toContain('<a href="move.html#to-s3">A move</a>, <a href="index.html">all</a>')
  expect(page).toContain('the rules (<code>src/README.md</code>)')
  expect(page).toContain('<h2 id="in-the-page">In the page</h2>')
})

const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

function helpOfServer(): string {
  try {
    readSettings(['--help'], '0.0.0')
  } catch (error) {
    if (error instanceof Error && error.name === 'HelpRequest') return error.message
    throw error
  }
  throw new Error('The server has no help.')
}
