import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { projectRoot } from './project-root.ts'

/** The components that draw the first images. src/gallery/main.ts imports them while it asks for the images. */
const COMPONENTS = join(projectRoot, 'src/gallery/render-page.tsx')
const COMPONENTS_CHUNK = 'components'

/** The components around the images, which src/gallery/rest.tsx imports once the images are drawn. */
const REST = join(projectRoot, 'src/gallery/rest-of-page.tsx')

/**
 * Divides the page into five kinds of scripts: `start` asks for the first images, `components` draws them, `rest` draws
 * what is around them, lazy parts load later, and `shared` is code of several lazy parts. The default is forty scripts.
 */
export const pageChunks = () => ({
  groups: [
    { name: 'start', tags: ['$initial' as const], priority: 4 },
    chunkOf(COMPONENTS, COMPONENTS_CHUNK, 3),
    chunkOf(REST, 'rest', 2),
    { name: 'shared', minShareCount: 2, priority: 1 },
  ],
})

/** A chunk of all modules that a module imports statically, without those in chunks of a higher priority. */
function chunkOf(entry: string, name: string, priority: number) {
  let members: ReadonlySet<string> | null = null
  return {
    debugName: name,
    priority,
    name: (id: string, modules: Rolldown.ChunkingContext) => {
      members ??= reachableFrom(entry, modules)
      return members.has(id) ? name : null
    },
  }
}

/** Returns the modules that a module imports statically, directly or through others, and itself. */
function reachableFrom(entry: string, modules: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set([entry])
  for (const id of found)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

/**
 * Makes Chromium compile all functions of the first view in the background, while it loads their scripts. Otherwise it
 * compiles each function on the main thread at its first call. Other browsers ignore the comment.
 */
export const compileWhileLoading = (): Plugin => ({
  name: 'compile-while-loading',
  apply: 'build',
  generateBundle: {
    // The comment must be the first line, and Vite adds a line above the others.
    order: 'post',
    handler(_, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && (chunk.isEntry || chunk.name === COMPONENTS_CHUNK))
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
    },
  },
})

/** Makes the browser load the components together with the start script, which imports them only when it runs. */
export const preloadComponents = (): Plugin => ({
  name: 'preload-components',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle = {} }) {
      const chunk = Object.values(bundle).find(({ name }) => name === COMPONENTS_CHUNK)
      if (chunk === undefined) throw new Error('The build has no script of components.')
      const attrs = { rel: 'modulepreload', crossorigin: true, href: `./${chunk.fileName}` }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  },
})
