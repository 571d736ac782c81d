import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { projectRoot } from './project-root.ts'

const FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
]

/** Adds Swagger UI to the build, which `/docs` loads. It is not bundled, so that the gallery does not load it. */
export const apiReference = (): Plugin => ({
  name: 'api-reference',
  apply: 'build',
  generateBundle() {
    for (const name of FILES) {
      const source = readFileSync(join(projectRoot, 'node_modules/swagger-ui-dist', name))
      this.emitFile({ type: 'asset', fileName: `docs/${name}`, source })
    }
  },
})
