import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { projectRoot } from './project-root.ts'

/** A sentence that breaks a rule of CONTRIBUTING.md. `line` is 0 for a commit. */
export interface Finding {
  file: string
  line: number
  reason: string
}

const CHECKED_COMMITS = 20
const MAX_SUBJECT_LENGTH = 60

const PREFIX =
  /^(?:bench|build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([a-z0-9-]+\))?!?: \S/

/** The first word of a docblock, or of the text of a tag in it. A docblock begins with a verb or a noun phrase. */
const CLAUSE = /^(?:What|Whether|Who|Whoever|Where)\b/

const TAG = /^@(?:param \S+ -|returns|throws \{[^}]*\}) (.*)$/

/** A section of a document that a reader of the project does not have. */
const REFERENCE = /\b(?:wire|spec|design|product) [A-Z]?\d+(?:\.\d+)*/g

/** The target of a link to a file. Addresses with a scheme are not checked. */
const LINK = /\]\(([^()\s#:]+)(?:#[^()\s]*)?\)/g

/** A path in backticks. If its first folder is in `src/` or at the top, the path must exist. */
const SOURCE_PATH = /`([a-z][\w-]*\/[\w./-]*)`/g

/** Wording that never helps a reader, with a replacement. A space stands for any white space. */
const REPLACEMENTS: Record<string, string> = {
  'as it were': 'say it literally',
  'comes of it': 'name the effect',
  deed: 'action',
  deeds: 'actions',
  'in its own name': 'name the subject',
  'in one breath': 'at the same time',
  'is none of': 'is not one of',
  'lets go of': 'releases, closes or clears',
  'nobody knows': 'unknown',
  'same breath': 'in the same frame, commit or call',
  'stands for itself': 'is literal',
  'tells of': 'reports',
  'told of': 'reported or notified',
  whoever: 'name the caller, client or user',
  whomever: 'name the caller, client or user',
  'would else': 'would otherwise',
}

const PHRASE = new RegExp(
  `\\b(?:${Object.keys(REPLACEMENTS).join('|').replaceAll(' ', '\\s+')})\\b`,
  'gi',
)

/** Checks the comments of a TypeScript file. */
export function checkCode(file: string, text: string): Finding[] {
  const { comments } = parseSync(file, text)
  let prose = ''
  const openings: Finding[] = []
  for (const { type, value, start, end } of comments) {
    // The text keeps its offsets. Code becomes dots, so that phrases end with their comment.
    prose += hide(text.slice(prose.length, start)) + text.slice(start, end).replace(/^[/*]+/, blank)
    if (type === 'Block' && value.startsWith('*'))
      openings.push(...checkDocblock(file, lineAt(text, start), value))
  }
  // The asterisk that begins a line of a docblock is not part of its sentence.
  prose = prose.replace(/^ *\*/gm, blank)
  return [...openings, ...checkPhrases(file, prose)].sort(byLine)
}

/** Checks a Markdown file, except its code. */
export function checkMarkdown(file: string, text: string): Finding[] {
  let isCode = false
  const lines = text.split('\n').map((line) => {
    const isFence = line.trimStart().startsWith('```')
    if (isFence) isCode = !isCode
    return isCode || isFence ? hide(line) : line
  })
  return checkPhrases(file, lines.join('\n')).sort(byLine)
}

/** Checks that the files and folders that a Markdown file links or names exist. `dist/` exists only after a build. */
export function checkPaths(root: string, file: string, text: string): Finding[] {
  const isMissing = (path: string) => !existsSync(join(root, path))
  const links = [...text.matchAll(LINK)].filter(([, target = '']) =>
    isMissing(join(dirname(file), target)),
  )
  const names = [...text.matchAll(SOURCE_PATH)].filter(([, path = '']) => {
    const [top = ''] = path.split('/')
    if (top === 'dist') return false
    const folder = ['src', '.'].find((base) => !isMissing(join(base, top)))
    return folder !== undefined && isMissing(join(folder, path))
  })
  return [...links, ...names].map(({ 1: path, index }) => {
    return { file, line: lineAt(text, index), reason: `"${path}" does not exist` }
  })
}

/** Checks the subject lines of commits, newest first. */
export function checkSubjects(subjects: readonly string[]): Finding[] {
  return subjects.flatMap((subject) => {
    const reasons = [
      subject.length > MAX_SUBJECT_LENGTH && `has more than ${MAX_SUBJECT_LENGTH} characters`,
      !PREFIX.test(subject) && 'has no prefix such as "fix(images): "',
      subject.endsWith('.') && 'ends with a period',
    ].filter((reason) => reason !== false)
    return reasons.map((reason) => ({ file: 'commit', line: 0, reason: `"${subject}" ${reason}` }))
  })
}

/** Checks the comments and the Markdown files of a project. */
export function checkProject(root: string): Finding[] {
  const check = (pattern: string, checkFile: typeof checkCode) =>
    globSync(pattern, { cwd: root })
      .sort()
      .flatMap((file) => checkFile(file, readFileSync(join(root, file), 'utf8')))
  return [
    ...check('{src,e2e}/**/*.{ts,tsx}', checkCode),
    ...check('{*.md,{docs,src,e2e}/**/*.md}', (file, text) => [
      ...checkMarkdown(file, text),
      ...checkPaths(root, file, text),
    ]),
  ]
}

function checkDocblock(file: string, firstLine: number, value: string): Finding[] {
  let isFirst = true
  return value.split('\n').flatMap((text, index) => {
    const words = text.replace(/^[ *]+/, '').trimEnd()
    if (words === '') return []
    const opening = TAG.exec(words)?.[1] ?? (isFirst ? words : '')
    isFirst = false
    const [word] = CLAUSE.exec(opening) ?? []
    if (word === undefined) return []
    return [{ file, line: firstLine + index, reason: `a docblock begins with "${word}"` }]
  })
}

/** Checks text without its code in backticks. */
function checkPhrases(file: string, text: string): Finding[] {
  const prose = text.replace(/`[^`\n]*`/g, hide)
  const find = (pattern: RegExp, reasonOf: (phrase: string) => string) =>
    [...prose.matchAll(pattern)].map(({ 0: phrase, index }) => ({
      file,
      line: lineAt(prose, index),
      reason: reasonOf(phrase.replace(/\s+/g, ' ')),
    }))
  return [
    ...find(REFERENCE, (phrase) => `"${phrase}" names a document that readers do not have`),
    ...find(PHRASE, (phrase) => `"${phrase}": ${REPLACEMENTS[phrase.toLowerCase()]}`),
  ]
}

/**
 * Checks the subjects of the latest commits. There are none in a copy of the files without a repository, even if the copy
 * is inside another repository.
 */
export function checkCommits(root: string): Finding[] {
  if (!existsSync(join(root, '.git'))) return []
  // GitHub tests a pull request on a merge commit, whose subject is not the author's.
  const args = ['log', `-${CHECKED_COMMITS}`, '--no-merges', '--format=%s']
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? checkSubjects(stdout.split('\n').filter((subject) => subject !== '')) : []
}

const byLine = (a: Finding, b: Finding) => a.line - b.line
const hide = (text: string) => text.replace(/\S/g, '.')
const blank = (text: string) => ' '.repeat(text.length)
const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

if (import.meta.main) {
  // `npm test` leaves the commits out: it must pass whatever tool made a commit.
  const isWithCommits = process.argv.includes('--commits')
  const findings = [
    ...checkProject(projectRoot),
    ...(isWithCommits ? checkCommits(projectRoot) : []),
  ]
  for (const { file, line, reason } of findings)
    console.log(line === 0 ? `${file}: ${reason}` : `${file}:${line}: ${reason}`)
  console.log(
    `${findings.length} findings in comments, Markdown files${isWithCommits ? ' and commits' : ''}`,
  )
  process.exitCode = findings.length === 0 ? 0 : 1
}
