import Type, { type TSchema } from 'typebox'
import type { NodeDefinition } from '#server/engine/define-node.ts'
import { savingFields } from '#server/engine/graph/node-fields.ts'

/** `img_resize` as `ImgResize`. */
const pascalCase = (type: string): string =>
  type.replaceAll(/(?:^|_)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

const invocationOf = (definition: NodeDefinition): TSchema =>
  Type.Object(
    {
      id: Type.String(),
      is_intermediate: Type.Optional(Type.Boolean({ default: false })),
      use_cache: Type.Optional(Type.Boolean({ default: definition.usesCache })),
      ...Type.Partial(definition.inputs).properties,
      ...(definition.saving?.hasBoard ? Type.Partial(Type.Object(savingFields)).properties : {}),
      type: Type.Literal(definition.type),
    },
    {
      description: descriptionOf(definition),
      additionalProperties: definition.keepsExtra ?? false,
    },
  )

const descriptionOf = ({ summary, differs }: NodeDefinition): string =>
  differs === undefined ? summary : `${summary}. Differs from InvokeAI: ${differs}`

const outputSchemaOf = ({ output }: NodeDefinition): TSchema =>
  Type.Object({ ...output.fields.properties, type: Type.Literal(output.type) })

/**
 * What each type of node takes and gives, for the interface description: `AddInvocation`, `IntegerOutput`. An
 * input may be left out of a graph even where the node cannot run without it (wire 9.1).
 */
export const schemasOf = (definitions: Iterable<NodeDefinition>): Record<string, TSchema> =>
  Object.fromEntries(
    [...definitions].flatMap((definition) => [
      [`${pascalCase(definition.type)}Invocation`, invocationOf(definition)],
      [pascalCase(definition.output.type), outputSchemaOf(definition)],
    ]),
  )
