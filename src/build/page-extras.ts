import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Plugin, transformWithOxc } from 'vite'
import { projectRoot } from './project-root.ts'

/** The icons of the installed page. `margin` is the fraction of the side that stays empty at each edge. */
const ICONS = [
  { fileName: 'icon-192.png', sidePx: 192, margin: 0 },
  { fileName: 'icon-512.png', sidePx: 512, margin: 0 },
  // Android may cut a maskable icon to a circle of 80 % of its side.
  { fileName: 'icon-maskable.png', sidePx: 512, margin: 0.2 },
  { fileName: 'apple-touch-icon.png', sidePx: 180, margin: 0.1 },
]

/** The side of icon.svg in its own units. */
const SVG_SIDE = 32

/** Draws an icon. With a margin it has a background, because systems cut such icons to their own shapes. */
async function drawIcon(svg: Buffer, sidePx: number, margin: number): Promise<Buffer> {
  const edgePx = Math.round(sidePx * margin)
  const innerPx = sidePx - 2 * edgePx
  const icon = sharp(svg, { density: (72 * innerPx) / SVG_SIDE }).resize(innerPx)
  if (margin === 0) return icon.png().toBuffer()
  const background = '#ffffff'
  const [top, bottom, left, right] = [edgePx, edgePx, edgePx, edgePx]
  return icon
    .extend({ top, bottom, left, right, background })
    .flatten({ background })
    .png()
    .toBuffer()
}

/** Adds what an installed page needs to the build: PNG icons, drawn from the SVG, and the service worker. */
export const pageExtras = (): Plugin => ({
  name: 'page-extras',
  apply: 'build',
  generateBundle: {
    // After Vite has written index.html, which names the scripts of this build.
    order: 'post',
    async handler(_, bundle) {
      const svg = readFileSync(join(projectRoot, 'public/icon.svg'))
      for (const { fileName, sidePx, margin } of ICONS) {
        const source = await drawIcon(svg, sidePx, margin)
        this.emitFile({ type: 'asset', fileName, source })
      }
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('The build has no index.html.')
      const assets = Object.keys(bundle).filter((name) => name.startsWith('assets/'))
      const paths = assets.sort()
      const workerFile = join(projectRoot, 'src/gallery/service-worker.ts')
      const worker = await transformWithOxc(readFileSync(workerFile, 'utf8'), workerFile)
      const hash = createHash('sha256').update(paths.join()).update(page.source).digest('hex')
      const source = `const VERSION = '${hash.slice(0, 16)}'
const ASSETS = ${JSON.stringify(paths)}
${worker.code}`
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  },
})

const REFERENCE_FILES = [
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
    for (const name of REFERENCE_FILES) {
      const source = readFileSync(join(projectRoot, 'node_modules/swagger-ui-dist', name))
      this.emitFile({ type: 'asset', fileName: `docs/${name}`, source })
    }
  },
})
