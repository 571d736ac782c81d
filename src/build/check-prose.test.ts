import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, removeFolder } from '#testing/temporary-folder.ts'
import {
  checkCode,
  checkCommits,
  checkMarkdown,
  checkPaths,
  checkProject,
  checkSubjects,
} from './check-prose.ts'
import { projectRoot } from './project-root.ts'

const reasonsOf = (text: string) => checkCode('near.tsx', text).map(({ reason }) => reason)

describe('a docblock', () => {
  test.each(['What', 'Whether', 'Who', 'Whoever', 'Where'])('must not begin with %s', (word) => {
    expect(reasonsOf(`/** ${word} it is. */`)[0]).toBe(`a docblock begins with "${word}"`)
  })

  it('is found at the line of its first words', () => {
    const text = 'const one = 1\n\n/**\n * Whether it is.\n */\nconst two = 2'

    expect(checkCode('near.ts', text)).toEqual([
      { file: 'near.ts', line: 4, reason: 'a docblock begins with "Whether"' },
    ])
  })

  test.each([
    '@param isOpen - Whether it is open.',
    '@returns What is open.',
    '@throws {RangeError} Where it is not open.',
  ])('must not begin the text of %s so', (tag) => {
    expect(reasonsOf(`/**\n * Opens it.\n *\n * ${tag}\n */`)).toHaveLength(1)
  })

  test.each([
    '/** Returns it.\n * Where a link fails, copies it. */',
    '/** Whatever. */',
    '// What it is.',
    '/* What it is. */',
  ])('is not in %j', (text) => {
    expect(reasonsOf(text)).toEqual([])
  })
})

test.each(['wire 9.1', 'spec 4.3', 'design 3', 'product P18'])('refuses the reference %s', (at) => {
  expect(reasonsOf(`// A rule (${at}).`)).toEqual([
    `"${at}" names a document that readers do not have`,
  ])
})

describe('a private phrase', () => {
  test.each([
    '// Whoever calls it.',
    '/** Closes it. It is told\n * of it. */',
    '// It is told\n  // of it.',
    'const view = <p>{/* A deed. */}</p>',
  ])('is found in %j', (text) => {
    expect(reasonsOf(text)).toHaveLength(1)
  })

  test.each([
    `const text = '// whoever'`,
    `const text = \`/* whoever */ \${name} // whoever\``,
    'const pattern = /[/*]whoever/',
    `const view = <p>It isn't // whoever</p>`,
    '// The name `whoever` is free.',
    '// It is told\nclose()\n// of it.',
    '// An indeed good name.',
  ])('is not found in %j', (text) => {
    expect(reasonsOf(text)).toEqual([])
  })
})

it('checks Markdown without its code', () => {
  const text = '# Whoever\n\n```js\n// whoever\n```\n\nThe word `whoever`.\nSee wire 9.1.\n'

  expect(checkMarkdown('README.md', text).map(({ line }) => line)).toEqual([1, 8])
})

it('finds links and paths of missing files', () => {
  const page = (text: string) =>
    checkPaths(projectRoot, 'docs/map.md', text).map(({ reason }) => reason)

  expect(page('[rules](../src/README.md#tests), `build/check-prose.ts`, `e2e/`')).toEqual([])
  expect(page('[site](https://example.com/map.md), `images/` in the data folder')).toEqual([])
  expect(page('`dist/not-built-yet`')).toEqual([])
  expect(page('[rules](src/README.md)')).toEqual(['"src/README.md" does not exist'])
  expect(page('`build/no-such-file.ts`')).toEqual(['"build/no-such-file.ts" does not exist'])
})

it('accepts the subject of a conventional commit', () => {
  expect(checkSubjects(['fix(images): keep the anchor', 'feat!: remove a flag'])).toEqual([])
})

test.each([
  ['Keep the anchor', 'has no prefix such as "fix(images): "'],
  ['fix(images): keep the anchor.', 'ends with a period'],
  [`fix: ${'a'.repeat(56)}`, 'has more than 60 characters'],
])('refuses the subject %s', (subject, reason) => {
  expect(checkSubjects([subject])).toEqual([
    { file: 'commit', line: 0, reason: `"${subject}" ${reason}` },
  ])
})

describe('a project', () => {
  it('is checked with its latest commits', async () => {
    const root = await openFolder()
    mkdirSync(join(root, 'src'))
    writeFileSync(join(root, 'src/near.ts'), '/** What it is. */\n')
    writeFileSync(join(root, 'README.md'), 'Whoever reads this.\n')
    git(root, 'init', '--quiet')
    git(root, 'commit', '--quiet', '--allow-empty', '--message=Begin')

    const files = [...checkProject(root), ...checkCommits(root)].map(({ file }) => file)

    expect(files).toEqual(['src/near.ts', 'README.md', 'commit'])
  })

  it('has no commits without a repository', async () => {
    expect(checkCommits(await openFolder())).toEqual([])
  })
})

async function openFolder(): Promise<string> {
  const folder = await createTemporaryFolder()
  onTestFinished(() => removeFolder(folder))
  return folder
}

function git(folder: string, ...args: string[]): void {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  execFileSync('git', [...author, ...args], { cwd: folder })
}
