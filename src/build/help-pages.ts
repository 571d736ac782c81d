import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Marked, type Tokens } from 'marked'
import type { Plugin } from 'vite'
import { projectRoot } from './project-root.ts'

const docsFolder = join(projectRoot, 'docs')

/** Adds the pages of `docs/` to the build, as `/help/*.html`. The page's help links to them. */
export const helpPages = (): Plugin => ({
  name: 'help-pages',
  apply: 'build',
  generateBundle() {
    for (const name of readdirSync(docsFolder).filter((name) => name.endsWith('.md'))) {
      const source = drawHelpPage(readFileSync(join(docsFolder, name), 'utf8'))
      this.emitFile({ type: 'asset', fileName: `help/${htmlNameOf(name)}`, source })
    }
  },
})

/** Turns a page of `docs/` into HTML. Links to files that are not served become their paths. */
export function drawHelpPage(markdown: string): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Help'
  const marked = new Marked({ renderer: { heading: drawHeading, link: drawLink } })
  const content = marked
    .parse(markdown, { async: false })
    // A wide table scrolls alone, also by keyboard.
    .replaceAll('<table>', '<div class="table" role="group" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff">
<script src="../theme.js"></script>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<title>${title} – Tessera</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Help"><a href="../">Tessera</a><a href="index.html">All pages</a></nav>
<main>
${content}</main>
</body>
</html>
`
}

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

function drawHeading(this: HeadingRenderer, { tokens, depth, text }: Tokens.Heading): string {
  return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
}

function drawLink(this: HeadingRenderer, { href, tokens }: Tokens.Link): string {
  const text = this.parser.parseInline(tokens)
  const [path = '', anchor] = href.split('#')
  if (/^[a-z]+:/.test(href) || path === '') return `<a href="${href}">${text}</a>`
  if (dirname(path) === '.' && path.endsWith('.md'))
    return `<a href="${htmlNameOf(path)}${anchor === undefined ? '' : `#${anchor}`}">${text}</a>`
  const inProject = relative(projectRoot, join(docsFolder, path))
  return text === inProject ? `<code>${text}</code>` : `${text} (<code>${inProject}</code>)`
}

interface HeadingRenderer {
  parser: { parseInline(tokens: Tokens.Heading['tokens']): string }
}

const htmlNameOf = (name: string): string =>
  name === 'README.md' ? 'index.html' : name.replace(/\.md$/, '.html')

const STYLE = `
:root { --text: #1c1c1f; --muted: #5d5d66; --line: #dcdce0; --sunken: #f4f4f5; --link: #2f55d4; }
[data-theme=dark] { --text: #ececef; --muted: #a2a2ab; --line: #35353a; --sunken: #202024; --link: #8fabff; background: #161618; }
body { margin: 0 auto; max-width: 50rem; padding: 1rem 1.25rem 4rem; color: var(--text); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
nav { display: flex; gap: 1.25rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 2rem 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
a { color: var(--link); text-underline-offset: .2em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
li { margin: .25rem 0; }
code { background: var(--sunken); border-radius: 4px; padding: .1em .3em; font-size: .875em; }
pre { background: var(--sunken); border-radius: 8px; padding: .875rem 1rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9375rem; line-height: 1.45; overflow-wrap: normal; }
th, td { border-bottom: 1px solid var(--line); padding: .5rem 1rem .5rem 0; text-align: left; vertical-align: top; }
th { color: var(--muted); font-weight: 600; }
td code { white-space: nowrap; }
`
