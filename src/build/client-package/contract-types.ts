import type { ESTree } from 'vite'
import { type ContractModule, isSchema, readContract, type Schema } from './contract-modules.ts'

/** The client has a type with the same name. Editors would show this one as `Board_2`. */
const RENAMED: Readonly<Record<string, string>> = { Board: 'BoardRecord' }

/**
 * Declares the types of the contract as interfaces whose fields have the descriptions of the schemas.
 *
 * The declarations that TypeScript makes have no descriptions, and import TypeBox: a program of eight lines
 * that uses them takes 20 seconds to check.
 */
export async function declareContract(): Promise<string> {
  const modules = await readContract()
  const exported = modules.flatMap(exportsOf)
  const types = new Set(exported.flatMap(({ kind, name }) => (kind === 'type' ? [name] : [])))
  const schemas = exported.filter(
    (one): one is Exported & { value: Schema } => types.has(one.name) && isSchema(one.value),
  )
  const derived = new Set([...schemas.map(({ name }) => name), 'RefusalCode'])
  const names = new Map(schemas.map(({ name, value }) => [keyOf(value), RENAMED[name] ?? name]))
  const docs = new Map(exported.map(({ name, doc }) => [name, doc]))
  const { eventSchemas, refusals } = Object.assign({}, ...modules.map(({ values }) => values))
  const payloads: Schema = { '~kind': 'Object', properties: eventSchemas }
  const declarations = [
    ...schemas.map(
      ({ name, value, doc }) => doc + declareType(RENAMED[name] ?? name, value, names),
    ),
    ...Object.entries(RENAMED).map(([name, newName]) => `export type { ${newName} as ${name} }`),
    declareType('EventPayloads', { ...payloads, required: Object.keys(eventSchemas) }, names),
    `${docs.get('RefusalCode')}export type RefusalCode = ${choicesOf(Object.keys(refusals))}`,
    ...exported.flatMap(({ name, kind, doc, text }) =>
      kind === 'type' && !derived.has(name) ? [`${doc}${text}`] : [],
    ),
    ...exported.flatMap(({ name, kind, doc, value }) =>
      kind === 'value' && typeof value === 'string'
        ? [`${doc}export declare const ${name}: ${JSON.stringify(value)}`]
        : [],
    ),
  ]
  return `${declarations.join('\n\n')}\n`
}

interface Exported {
  readonly kind: 'type' | 'value'
  readonly name: string
  /** Docblock with a line break at its end, or an empty string. */
  readonly doc: string
  readonly text: string
  readonly value?: unknown
}

function exportsOf({ code, statements, comments, values }: ContractModule): Exported[] {
  return statements.flatMap((statement): Exported[] => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return []
    const { declaration } = statement
    const before = comments.findLast(({ end }) => end <= statement.start)
    const isNear = before !== undefined && code.slice(before.end, statement.start).trim() === ''
    const doc = isNear && before.value.startsWith('*') ? `/*${before.value}*/\n` : ''
    const text = code.slice(statement.start, statement.end)
    const { type } = declaration
    if (type === 'TSTypeAliasDeclaration' || type === 'TSInterfaceDeclaration') {
      return [{ kind: 'type', name: declaration.id.name, doc, text }]
    }
    return constantsOf(declaration).map((name) => ({
      ...{ kind: 'value', name, doc, text },
      value: values[name],
    }))
  })
}

const constantsOf = (declaration: ESTree.Declaration): string[] =>
  declaration.type === 'VariableDeclaration'
    ? declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
    : []

type Names = ReadonlyMap<string, string>

/** Identifies a schema by its content, because optional properties have copies of the named schemas. */
const keyOf = (schema: Schema): string => JSON.stringify(schema)

const declareType = (name: string, schema: Schema, names: Names): string =>
  schema.properties === undefined
    ? `export type ${name} = ${shapeOf(schema, names)}`
    : `export interface ${name} ${shapeOf(schema, names)}`

const typeOf = (schema: Schema, names: Names): string =>
  names.get(keyOf(schema)) ?? shapeOf(schema, names)

const choicesOf = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' | ')

function shapeOf(schema: Schema, names: Names): string {
  const { type, items, properties, patternProperties = {} } = schema
  if (schema.enum !== undefined) return choicesOf(schema.enum)
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one, names)).join(' | ')
  if (items !== undefined) return `Array<${typeOf(items, names)}>`
  if (properties !== undefined) return fieldsOf(schema, properties, names)
  const [values] = Object.values(patternProperties)
  if (values !== undefined) return `Record<string, ${typeOf(values, names)}>`
  if (type === 'integer') return 'number'
  return type ?? 'unknown'
}

function fieldsOf(schema: Schema, properties: Readonly<Record<string, Schema>>, names: Names) {
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return `${docOf(field)}${name}${mark}: ${typeOf(field, names)}`
  })
  const others = schema.additionalProperties === true ? ['[name: string]: unknown'] : []
  return `{\n${[...fields, ...others].join('\n').replace(/^/gm, '    ')}\n}`
}

const docOf = (field: Schema): string => {
  const description = field.description ?? field.anyOf?.find((one) => one.description)?.description
  const fallback = field.default === undefined ? [] : [`Default: ${JSON.stringify(field.default)}`]
  const sentences = [...(description === undefined ? [] : [description]), ...fallback]
  return sentences.length > 0 ? `/** ${sentences.join('. ')}. */\n` : ''
}
