import { isAnySchema, type ValueSchema } from '#server/core/validation/value-schema.ts'

/**
 * The type of an input or output, as far as edges compare it. It has no bounds, defaults and descriptions, and no
 * null, because every connection may carry null.
 */
export type FieldType =
  | { readonly kind: 'any' }
  | { readonly kind: 'single'; readonly key: string; readonly fields?: ReadonlyMap<string, string> }
  | { readonly kind: 'list'; readonly item: FieldType }
  | { readonly kind: 'union'; readonly members: readonly FieldType[] }

const any: FieldType = { kind: 'any' }

/** Converts a schema to its field type. */
export function fieldTypeOf(schema: ValueSchema): FieldType {
  if (schema.anyOf) {
    const present = schema.anyOf.filter(({ type }) => type !== 'null').map(fieldTypeOf)
    if (present.some(({ kind }) => kind === 'any')) return any
    const [only] = present
    return present.length === 1 && only ? only : { kind: 'union', members: present }
  }
  if (schema.enum) return { kind: 'single', key: `one of ${JSON.stringify(schema.enum)}` }
  if (isAnySchema(schema)) return any
  if (schema.type === 'array') return { kind: 'list', item: fieldTypeOf(schema.items ?? {}) }
  if (schema.type === 'object' && schema.properties) return objectType(schema.properties)
  return { kind: 'single', key: schema.type ?? `only ${JSON.stringify(schema.const)}` }
}

function objectType(properties: Readonly<Record<string, ValueSchema>>): FieldType {
  const fields = new Map(
    Object.entries(properties).map(([name, field]) => [name, keyOf(fieldTypeOf(field))]),
  )
  const named = [...fields].sort(([a], [b]) => (a < b ? -1 : 1))
  return { kind: 'single', key: `{${named.map(([name, key]) => `${name}:${key}`)}}`, fields }
}

/** Returns an equal key for equal types, whatever the order of their members. */
export function keyOf(type: FieldType): string {
  if (type.kind === 'any') return 'any'
  if (type.kind === 'list') return `list of ${keyOf(type.item)}`
  return type.kind === 'single' ? type.key : type.members.map(keyOf).sort().join(' or ')
}

/** Returns the members of a union, or the type itself. */
export const membersOf = (type: FieldType): readonly FieldType[] =>
  type.kind === 'union' ? type.members : [type]

/** True if the type has all fields of the other. Models InvokeAI's subclasses. */
export function isSubclass(type: FieldType, of: FieldType): boolean {
  if (keyOf(type) === keyOf(of)) return true
  if (type.kind !== 'single' || of.kind !== 'single' || !type.fields || !of.fields) return false
  return [...of.fields].every(([name, key]) => type.fields?.get(name) === key)
}

/** True if an output of type `from` may be connected to an input of type `to`. */
export function fits(from: FieldType, to: FieldType): boolean {
  if (from.kind === 'any' || isOpen(to)) return true
  if (to.kind === 'union') {
    return membersOf(from).every((member) => to.members.some((target) => fits(member, target)))
  }
  if (from.kind === 'union') return from.members.some((member) => keyOf(member) === keyOf(to))
  if (from.kind === 'list' && to.kind === 'list') return fits(from.item, to.item)
  if (isSubclass(from, to)) return true
  if (from.kind !== 'single' || to.kind !== 'single') return false
  if (to.key === 'number') return from.key === 'integer'
  return to.key === 'string' && (from.key === 'integer' || from.key === 'number')
}

/** True if any output may be connected. As in InvokeAI, a value that is not a list then fails when the node runs. */
const isOpen = (type: FieldType): boolean =>
  type.kind === 'any' || (type.kind === 'list' && type.item.kind === 'any')

/** Returns the item types of the lists in a type. Empty if the type contains no list. */
export const itemTypesOf = (type: FieldType): FieldType[] =>
  membersOf(type).flatMap((member) => (member.kind === 'list' ? [member.item] : []))
