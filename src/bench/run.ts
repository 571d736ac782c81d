import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { arch, cpus, tmpdir, totalmem } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { prepareBuildForTests } from '#build/built-for-tests.ts'
import { projectRoot } from '#build/project-root.ts'

/**
 * Runs the benchmarks one after the other, each in its own process, and writes all figures to
 * `.cache/bench/<date>.json`. Names select benchmarks, and arguments after `--` go to each of them: `npm run
 * bench -- records page -- --images 1000`.
 */
const BENCHES = [
  'records',
  'find',
  'bulk',
  'server',
  'memory',
  'uploads',
  'videos',
  'thumbnails',
  'metadata',
  'hostile',
  'import',
  'migrate',
  'queue',
  'upstream',
  'page',
  'preview',
  'generations',
  'live',
  'organise',
  'cluster',
]

const HELP = `npm run bench [-- NAME... [-- FLAG...]]

Without names all run: ${BENCHES.join(', ')}. Flags go to each of them. --libraries FOLDER keeps the filled
libraries of records, find, bulk, server, memory, uploads and import between runs.
  records     --rows 1000,100000,1000000  --rounds N  --only TEXT
              --database postgres://user:password@host  or  temporary: next to the embedded database,
              which has at most  --embedded-rows 1000000
  find        like records: searches with conditions, facets, and insights
  bulk        --rows 1000000  --images 10000  --board-images 50000  --rounds N
  server      --rows 1000,1000000  --starts N  --rounds N  --idle SECONDS
  memory      --rows 1000000  --minutes 10  --idle SECONDS
  uploads     --uploads 2000  --rounds N  --rows 1000,1000000
  videos      --rounds N  --ranges 2000, of a large clip  --clips 200, of the import
              --only server|import|requests|viewer|flings
  thumbnails  --decodes N  --rounds N
  metadata    --files 6, of each kind  --rounds 5
  hostile     the event loop, the memory and the time while large and hostile files are read
              --only videos
  import      --images 600  --rounds N  --rows 1000,1000000  --files 10000, for the memory
  migrate     --images 5000  --pictures 500  --size 512, in px  --rounds N
  queue       --items 50  --rounds N  --listeners 50
  upstream    --thumbnails 2000  --rounds N
  page        --images 1000,100000  --ratios 1,2  --layouts fill,rows  --repeat 5  --pictures 500
              --only first-visit|opening|compare|scrolling|flings
  preview     --repeat 5  --ratio 1
  generations --images 5000  --repeat 10  --only tabs
  live        --images 1000  --repeat 20  --seconds 30, of uploads  --uploads 500
              --only page|server
  organise    --images 1000,100000  --boards 300,1000  --repeat 5
  cluster     --images 500  --requests 2000  --rounds 5

Medians and ratios are printed, and written to .cache/bench/.`

if (process.argv.includes('--help')) {
  console.log(HELP)
  process.exit(0)
}
const [names, flags] = splitArguments(process.argv.slice(2))
const unknown = names.filter((name) => !BENCHES.includes(name))
if (unknown.length > 0) {
  console.error(`No bench is named ${unknown.join(', ')}. There are: ${BENCHES.join(', ')}.`)
  process.exit(2)
}

console.log('The limits are switched off in every bench.')
// Servers in separate processes run the build, as in the package: the source takes more memory and time to load.
await prepareBuildForTests()
const folder = await mkdtemp(join(tmpdir(), 'tessera-bench-'))
// Several benchmarks use the same filled libraries.
const libraries = join(folder, 'libraries')
if (!flags.includes('--libraries')) flags.push('--libraries', libraries)
const failed: string[] = []
for (const name of names.length > 0 ? names : BENCHES) {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  if (!existsSync(file)) continue
  console.log(`\n── ${name}`)
  const child = spawn(process.execPath, [file, ...flags], {
    cwd: projectRoot,
    env: { ...process.env, TESSERA_BENCH_FOLDER: folder },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) failed.push(name)
}
console.log(`\nWritten to ${await writeReport()}`)
await rm(folder, { recursive: true })
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`)
  process.exitCode = 1
}

async function writeReport(): Promise<string> {
  const benches: Record<string, unknown> = {}
  for (const file of await readdir(folder)) {
    if (!file.endsWith('.json')) continue
    benches[basename(file, '.json')] = JSON.parse(await readFile(join(folder, file), 'utf8'))
  }
  const at = new Date().toISOString()
  const machine = {
    cores: cpus().length,
    processor: cpus()[0]?.model,
    memoryBytes: totalmem(),
    arch: arch(),
    node: process.version,
  }
  const path = join(projectRoot, '.cache/bench', `${at.slice(0, 19).replaceAll(':', '')}.json`)
  await mkdir(join(projectRoot, '.cache/bench'), { recursive: true })
  await writeFile(path, `${JSON.stringify({ at, machine, flags, benches }, null, 2)}\n`)
  return path
}

function splitArguments(args: string[]): [names: string[], flags: string[]] {
  const firstFlag = args.findIndex((arg) => arg.startsWith('--'))
  if (firstFlag === -1) return [args, []]
  return [args.slice(0, firstFlag), args.slice(firstFlag).filter((arg) => arg !== '--')]
}
