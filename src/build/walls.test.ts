import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PlantedTree } from './planted-tree.ts'
import { projectRoot } from './project-root.ts'

/** The layers that each layer may import. TypeScript's project references enforce this, and Biome for most layers. */
const layers: Record<string, string[]> = {
  contract: [],
  client: ['contract'],
  demo: ['contract'],
  server: ['contract', 'demo'],
  gallery: ['contract', 'client'],
  testing: ['contract', 'client', 'server', 'demo'],
  build: [],
  bench: ['contract', 'client', 'server', 'demo', 'testing', 'build'],
  e2e: ['contract', 'client', 'testing', 'demo', 'build'],
}

/**
 * The parts of the server that each part may import: `http -> core <- storage`, `core <- engine`. `.` is the
 * root folder.
 */
const serverParts: Record<string, string[]> = {
  http: ['core'],
  core: [],
  processes: [],
  storage: ['core', 'processes'],
  engine: ['core', 'processes'],
  events: ['core'],
  redis: ['core'],
  upstream: ['core', 'http'],
  commands: [
    '.',
    'start',
    'core',
    'http',
    'processes',
    'storage',
    'engine',
    'events',
    'redis',
    'upstream',
  ],
  start: [
    '.',
    'commands',
    'core',
    'http',
    'processes',
    'storage',
    'engine',
    'events',
    'redis',
    'upstream',
  ],
}

const partOf = (name: string): string => (name === '.' ? 'server' : `server/${name}`)

/** The gallery's shared folders, which are not features, and the folders that they may import. */
const ground: Record<string, string[]> = {
  api: ['client', 'contract'],
  url: ['contract', 'gallery/ui'],
  ui: [],
}
const ofFeatures = ['contract', 'gallery/api', 'gallery/url', 'gallery/ui']

// Every other folder of the gallery is a feature. A new one without import rules fails here.
const features = new Set([
  ...['boards', 'images', 'uploads', 'lightbox', 'progress', 'queue', 'trash', 'welcome'],
  ...foldersOf('src/gallery').filter((folder) => !(folder in ground)),
])

/** Packages that a folder must not import. */
const strangers: [folder: string, specifier: string][] = [
  ['src/contract', 'node:fs'],
  ['src/client', 'node:fs'],
  ['src/gallery', 'node:fs'],
  ...['api', 'url', 'ui', ...features].map((f): [string, string] => [
    `src/gallery/${f}`,
    'node:fs',
  ]),
  ...['node:fs', 'fastify', '@fastify/static', 'better-sqlite3', 'kysely', 'sharp', 'piscina'].map(
    (specifier): [string, string] => ['src/server/core', specifier],
  ),
  ...['better-sqlite3', 'kysely', 'sharp'].map((s): [string, string] => ['src/server/http', s]),
  ...['fastify', '@fastify/static'].map((s): [string, string] => ['src/server/storage', s]),
  ...['fastify', '@fastify/static'].map((s): [string, string] => ['src/server/engine', s]),
]

/** Global names that must not exist in a layer. */
const strangeNames: [layer: string, name: string][] = [
  ['contract', 'document'],
  ['contract', 'process'],
  ['client', 'document'],
  ['client', 'Buffer'],
  ['server', 'document'],
  ['gallery', 'Buffer'],
]

const none: number[] = []
const all = [1, 2, 3]
const folderOf = (layer: string) => (layer === 'e2e' ? 'e2e' : `src/${layer}`)

/** The planted file of each case. */
const planted = new Map<string, string>()
const verdict = (...key: string[]) => tree.verdictOn(planted.get(key.join(' -> ')) ?? 'not planted')
let tree: PlantedTree

beforeAll(async () => {
  tree = await PlantedTree.create()
  for (const [from, to] of pairs(Object.keys(layers), Object.keys(layers))) {
    if (to !== 'e2e') await plant(from, to, tree.plantImports(folderOf(from), to))
  }
  for (const [from, to] of [...serverPairs(), ...galleryPairs()]) {
    await plant(from, to, tree.plantImports(`src/${from}`, to))
  }
  for (const [folder, specifier] of strangers) {
    await plant(folder, specifier, tree.plantSpecifier(folder, specifier))
  }
  for (const [layer, name] of strangeNames) {
    const text = `export const it = ${name}\n`
    await plant(layer, name, tree.write(`src/${layer}/world-${name.toLowerCase()}.ts`, text))
  }
  for (const folder of walledFolders()) {
    await plant(folder, '../', tree.plantSpecifier(folder, '../target.ts'))
  }
  const there = `import type { Back } from './back.ts'\nexport type There = { back?: Back }\n`
  const back = `import type { There } from './there.ts'\nexport type Back = { there?: There }\n`
  await plant('there', 'back', tree.write('src/client/there.ts', there))
  await tree.write('src/client/back.ts', back)
  tree.check()
}, 120_000)

afterAll(() => tree.remove())

describe('between layers', () => {
  for (const [from, to] of pairs(Object.keys(layers), Object.keys(layers))) {
    if (to === 'e2e') continue
    const isAllowed = layers[from]?.includes(to)

    // TypeScript also allows what a reference itself references, so that only Biome separates e2e from the server.
    const isReached = isAllowed || (from === 'e2e' && to === 'server')
    test(`TypeScript ${isReached ? 'lets' : 'does not let'} ${from} import ${to}`, () => {
      expect(verdict(from, to).types).toEqual(isReached ? none : all)
    })

    // bench may import all of its references. The gallery may import the client only through its own api folder.
    if (from === 'bench') continue
    const isLinted = !isAllowed || (from === 'gallery' && to === 'client')
    test(`Biome ${isLinted ? 'does not let' : 'lets'} ${from} import ${to}`, () => {
      expect(verdict(from, to).lint).toEqual(isLinted ? all : none)
    })
  }

  test.each(strangeNames)('does not let %s use the global %s', (layer, name) => {
    expect(verdict(layer, name).types).toEqual([1])
  })
})

describe('inside the server', () => {
  test.each(serverPairs())('Biome enforces the rule for %s importing %s', (from, to) => {
    const part = from.split('/')[1] ?? ''
    const allowed = ['contract', ...(serverParts[part] ?? []).map(partOf)]

    expect(verdict(from, to).lint).toEqual(allowed.includes(to) ? none : all)
  })

  test('has import rules for every folder of the server', () => {
    expect(Object.keys(serverParts)).toEqual(expect.arrayContaining(foldersOf('src/server')))
  })
})

describe('inside the gallery', () => {
  test.each(galleryPairs())('Biome enforces the rule for %s importing %s', (from, to) => {
    const allowed = ground[from.split('/')[1] ?? ''] ?? ofFeatures

    expect(verdict(from, to).lint).toEqual(allowed.includes(to) ? none : all)
  })
})

describe('threads and processes of the server', () => {
  // TypeBox has hundreds of modules, and each thread would load them again.
  test.each([
    'storage/sqlite/records-worker.ts',
    'storage/intake/intake-child.ts',
    'storage/sqlite/upkeep/check-child.ts',
  ])('%s loads no schemas', async (entry) => {
    const modules = await modulesOf(join(projectRoot, 'src/server', entry))

    expect(modules).toContainEqual(expect.stringContaining(entry))
    expect(modules.filter((url) => url.includes('/node_modules/typebox/'))).toEqual([])
  })
})

test('the server loads the clients of S3, PostgreSQL and Redis only if they are used', async () => {
  const modules = await modulesOf(join(projectRoot, 'src/server/app.ts'))

  expect(modules).toContainEqual(expect.stringContaining('open-file-store.ts'))
  expect(
    modules.filter((url) => /node_modules\/(@aws-sdk|@smithy|pg|ioredis)\//.test(url)),
  ).toEqual([])
})

describe('everywhere', () => {
  test.each(strangers)('Biome does not let %s import %s', (folder, specifier) => {
    expect(verdict(folder, specifier).lint).toEqual(all)
  })

  test.each(walledFolders())('Biome does not let %s import through ../', (folder) => {
    expect(verdict(folder, '../').lint).toEqual(all)
  })

  test('Biome refuses an import cycle, also of types', () => {
    expect(verdict('there', 'back').lint).toEqual([1])
  })
})

/** Returns the URLs of the modules that a file loads. */
async function modulesOf(file: string): Promise<string[]> {
  const code = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    // It fails without its parent, after it has loaded its modules.
    await import(${JSON.stringify(pathToFileURL(file).href)}).catch(() => {})
    process.stdout.write(JSON.stringify(urls), () => process.exit())`
  const flags = ['--input-type=module', '--eval', code]
  return JSON.parse((await promisify(execFile)(process.execPath, flags)).stdout)
}

async function plant(from: string, to: string, file: Promise<string>): Promise<void> {
  planted.set(`${from} -> ${to}`, await file)
}

/** Pairs each part of the server with every other part, its root, and the layers. */
function serverPairs(): [string, string][] {
  const parts = Object.keys(serverParts).map((part) => `server/${part}`)
  const others = Object.keys(layers).filter((layer) => layer !== 'e2e')
  return pairs(parts, [...parts, ...others])
}

/** Pairs each folder of the gallery with every other one, its root, and the layers. */
function galleryPairs(): [string, string][] {
  const folders = [...Object.keys(ground), ...features].map((folder) => `gallery/${folder}`)
  const others = Object.keys(layers).filter((layer) => layer !== 'e2e')
  return pairs(folders, [...folders, ...others])
}

function walledFolders(): string[] {
  const inside = [...serverPairs(), ...galleryPairs()].map(([from]) => `src/${from}`)
  return [...new Set([...Object.keys(layers).map(folderOf), ...inside])]
}

function pairs(these: string[], those: string[]): [string, string][] {
  return these.flatMap((a) => those.filter((b) => b !== a).map((b): [string, string] => [a, b]))
}

function foldersOf(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}
