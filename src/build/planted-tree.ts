import { spawnSync } from 'node:child_process'
import { cp, glob, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { projectRoot } from './project-root.ts'

const CONFIGURATION = [
  '.gitignore',
  'biome.json',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
  'tailwind.config.ts',
]

/** The three ways to reference another file. Import rules must cover each of them. */
const FORMS = {
  import: (specifier: string) => `import { it } from '${specifier}'`,
  export: (specifier: string) => `export { it as theirs } from '${specifier}'`,
  lazy: (specifier: string) => `export const later = import('${specifier}')`,
}

/** The refused lines by file. */
type RefusedLines = Map<string, Set<number>>

/** A planted file with the lines that each tool refused. */
export interface Verdict {
  types: number[]
  lint: number[]
}

/**
 * A temporary tree with the project's configuration and none of its code. Tests plant imports in it to check
 * whether `tsc -b` and Biome refuse them. `remove` deletes it.
 */
export class PlantedTree {
  readonly #root: string
  #nextId = 0
  #types: RefusedLines = new Map()
  #lint: RefusedLines = new Map()

  private constructor(root: string) {
    this.#root = root
  }

  static async create(): Promise<PlantedTree> {
    const root = await mkdtemp(join(tmpdir(), 'tessera-walls-'))
    for (const file of CONFIGURATION) await cp(join(projectRoot, file), join(root, file))
    const projects = glob(['src/**/tsconfig*.json', 'e2e/tsconfig.json'], { cwd: projectRoot })
    for await (const file of projects) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      await cp(join(projectRoot, file), join(root, file))
    }
    await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
    return new PlantedTree(root)
  }

  /**
   * Plants a file in `folder` that references `target` by import, re-export and `import()`, on lines 1 to 3.
   * Every planted line has its own target, because TypeScript reports a file outside the project only once.
   *
   * @returns The planted file.
   */
  async plantImports(folder: string, target: string): Promise<string> {
    const id = this.#nextId++
    const lines = []
    for (const [form, write] of Object.entries(FORMS)) {
      const name = `target-${id}-${form}.ts`
      await this.write(`src/${target}/${name}`, 'export const it = 1\n')
      lines.push(write(`#${target}/${name}`))
    }
    return this.write(`${folder}/planted-${id}.ts`, `${lines.join('\n')}\nexport const mine = it\n`)
  }

  /** Plants a file in `folder` that references a package, or any other specifier, in the three ways. */
  async plantSpecifier(folder: string, specifier: string): Promise<string> {
    const lines = Object.values(FORMS).map((write) => write(specifier))
    return this.write(`${folder}/planted-${this.#nextId++}.ts`, `${lines.join('\n')}\n`)
  }

  async write(file: string, text: string): Promise<string> {
    await mkdir(dirname(join(this.#root, file)), { recursive: true })
    await writeFile(join(this.#root, file), text)
    return file
  }

  /** Runs `tsc -b` and Biome once over all planted files. */
  check(): void {
    for (const match of this.#run('typescript/bin/tsc', ['-b', '--pretty', 'false']).matchAll(
      /^([^\s(]+)\((\d+),\d+\): error TS/gm,
    )) {
      add(this.#types, match[1], Number(match[2]))
    }
    const rules = ['style/noRestrictedImports', 'suspicious/noImportCycles']
    const args = ['lint', ...rules.map((rule) => `--only=${rule}`), '--max-diagnostics=none']
    const report: BiomeReport = JSON.parse(
      this.#run('@biomejs/biome/bin/biome', [...args, '--reporter=json']),
    )
    for (const { location } of report.diagnostics)
      add(this.#lint, location.path, location.start.line)
  }

  verdictOn(file: string): Verdict {
    const linesOf = (refused: RefusedLines) => [...(refused.get(file) ?? [])].sort()
    return { types: linesOf(this.#types), lint: linesOf(this.#lint) }
  }

  async remove(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true })
  }

  #run(tool: string, args: string[]): string {
    const path = join(projectRoot, 'node_modules', tool)
    const options = { cwd: this.#root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
    const { stdout, stderr, error } = spawnSync(process.execPath, [path, ...args], options)
    if (error) throw error
    if (stdout === '') throw new Error(`${tool} said nothing: ${stderr}`)
    return stdout
  }
}

/** The parts of Biome's JSON report that the tests read. */
interface BiomeReport {
  diagnostics: { location: { path: string; start: { line: number } } }[]
}

function add(refused: RefusedLines, file: string | undefined, line: number): void {
  if (file === undefined) return
  refused.set(file, (refused.get(file) ?? new Set()).add(line))
}
