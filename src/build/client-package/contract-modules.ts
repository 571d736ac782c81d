import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ESTree, parseSync } from 'vite'
import { projectRoot } from '#build/project-root.ts'

/** A module of the contract: its source, and the values that it exports. */
export interface ContractModule {
  readonly code: string
  readonly statements: readonly ESTree.Statement[]
  readonly comments: readonly { readonly value: string; readonly end: number }[]
  readonly values: Readonly<Record<string, unknown>>
}

/** The folder of the contract's sources. */
export const contractFolder = join(projectRoot, 'src/contract')

/** Reads a module of the contract. The import is computed, because the build scripts see no other layer. */
export const readContractModule = async (
  file: string,
  code = readFileSync(file, 'utf8'),
): Promise<ContractModule> => {
  const { program, comments } = parseSync(file, code)
  const values = await import(pathToFileURL(file).href)
  return { code, statements: program.body as ESTree.Statement[], comments, values }
}

/** Reads all modules of the contract but its tests, sorted by path. */
export const readContract = (): Promise<ContractModule[]> => {
  const files = globSync('**/*.ts', { cwd: contractFolder, exclude: ['**/*.test.ts'] }).sort()
  return Promise.all(files.map((file) => readContractModule(join(contractFolder, file))))
}

/** A TypeBox schema, which is a JSON schema with a marker. */
export interface Schema {
  readonly '~kind': string
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '~kind' in value
