import { sep } from 'node:path'
import type { ESTree, Plugin } from 'vite'
import {
  type ContractModule,
  contractFolder,
  isSchema,
  readContract,
  readContractModule,
} from './contract-modules.ts'

/**
 * Vite plugin that builds the contract without its schemas, which are for validation by the server. A client
 * reads only the choices of enumerations from them. TypeBox and the schemas would add 130 KB.
 *
 * Each exported value becomes a literal, so that bundlers can drop the unused ones.
 */
export const contractWithoutSchemas = (): Plugin => {
  let named: ReadonlySet<unknown> = new Set()
  return {
    name: 'contract-without-schemas',
    apply: 'build',
    enforce: 'pre',
    async buildStart() {
      named = await refusalsOfInvokeai()
    },
    async transform(code, id) {
      if (!id.startsWith(contractFolder + sep)) return null
      return { code: withoutSchemas(await readContractModule(id, code), named), map: null }
    },
  }
}

/** Only InvokeAI's messages are compared, because a Tessera sends the code of each refusal. */
const refusalsOfInvokeai = async (): Promise<ReadonlySet<unknown>> => {
  const values = (await readContract()).flatMap((module) => Object.values(module.values))
  return new Set(values.flatMap((value) => (isOfInvokeai(value) ? value.refusals : [])))
}

const isOfInvokeai = (value: unknown): value is { refusals: unknown[] } =>
  isPlainObject(value) &&
  'operationId' in value &&
  Array.isArray(value.refusals) &&
  value.headers === undefined &&
  value.extension !== true

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

function withoutSchemas(
  { code, statements, values }: ContractModule,
  named: ReadonlySet<unknown>,
): string {
  const edits: Edit[] = []
  // Exported operations become literals, so nothing calls the function that defines them.
  const removed = ['Type', 'operationsOf']
  for (const statement of statements) {
    if (statement.type === 'ExportNamedDeclaration') {
      edits.push(...literalsOf(statement, values, named))
    } else if (isOfSchemas(statement, code, removed)) {
      edits.push({ start: statement.start, end: statement.end, text: '' })
      removed.push(...namesOf(statement))
    }
  }
  return edits.reduceRight((text, { start, end, text: replacement }) => {
    return text.slice(0, start) + replacement + text.slice(end)
  }, code)
}

/** Returns the edits that replace the values of exported constants, except functions, by literals. */
const literalsOf = (
  { declaration }: ESTree.ExportNamedDeclaration,
  values: ContractModule['values'],
  named: ReadonlySet<unknown>,
): Edit[] => {
  if (declaration?.type !== 'VariableDeclaration') return []
  return declaration.declarations.flatMap(({ id, init }) => {
    const value = id.type === 'Identifier' ? values[id.name] : undefined
    if (init === null || !isData(value)) return []
    return [{ start: init.start, end: init.end, text: JSON.stringify(literalOf(value, named)) }]
  })
}

/** Returns true for the import of TypeBox, and for private constants that are made of schemas. */
const isOfSchemas = (
  statement: ESTree.Statement,
  code: string,
  removed: readonly string[],
): boolean => {
  if (statement.type === 'ImportDeclaration') return statement.source.value === 'typebox'
  if (statement.type !== 'VariableDeclaration') return false
  const text = code.slice(statement.start, statement.end)
  return removed.some((name) => new RegExp(`\\b${name}\\b`).test(text))
}

const namesOf = (statement: ESTree.Statement): string[] =>
  statement.type === 'VariableDeclaration'
    ? statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
    : []

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const isData = (value: unknown): boolean =>
  Array.isArray(value) || isPlainObject(value) || ['string', 'number'].includes(typeof value)

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Returns a value with only those parts of schemas and operations that clients read. */
const literalOf = (value: unknown, named: ReadonlySet<unknown>): unknown => {
  if (Array.isArray(value)) return value.map((inner) => literalOf(inner, named))
  if (!isPlainObject(value)) return value
  if (isSchema(value)) return value.enum === undefined ? {} : { enum: value.enum }
  if ('operationId' in value) {
    const { method, path, limit, mediaType, bytes, isRead } = value
    // InvokeAI has no extensions and no operation with headers, and a Tessera sends the code of each refusal.
    const refusals = isOfInvokeai(value) && !isEmpty(value.refusals) ? value.refusals : undefined
    return { method, path, refusals, limit, mediaType, bytes, isRead }
  }
  const entries = Object.entries(value).map(([key, inner]) => {
    const isRefusal = isPlainObject(inner) && 'status' in inner && 'detail' in inner
    return [key, isRefusal && !named.has(key) ? { status: inner.status } : literalOf(inner, named)]
  })
  return Object.fromEntries(entries)
}
