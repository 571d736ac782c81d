import Type, { type TSchema } from 'typebox'
import type { NodeDefinition } from '#server/engine/define-node.ts'

/** Converts `img_resize` to `ImgResize`. */
const pascalCase = (type: string): string =>
  type.replaceAll(/(?:^|_)([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

const invocationOf = (definition: NodeDefinition): TSchema =>
  Type.Object(
    {
      id: Type.String(),
      is_intermediate: Type.Optional(Type.Boolean({ default: false })),
      use_cache: Type.Optional(Type.Boolean({ default: definition.usesCache })),
      ...Type.Partial(definition.inputs).properties,
      type: Type.Literal(definition.type),
    },
    {
      description: descriptionOf(definition),
      additionalProperties: definition.retainsExtraFields ?? false,
    },
  )

const descriptionOf = ({ summary, differs }: NodeDefinition): string =>
  differs === undefined ? summary : `${summary}. Differs from InvokeAI: ${differs}`

const outputSchemaOf = ({ output }: NodeDefinition): TSchema =>
  Type.Object({ ...output.fields.properties, type: Type.Literal(output.type) })

/**
 * Returns the schemas of all node types for the OpenAPI description, such as `AddInvocation` and `IntegerOutput`.
 * Inputs are optional, because a graph may omit even an input that the run requires.
 */
export const schemasOf = (definitions: Iterable<NodeDefinition>): Record<string, TSchema> =>
  Object.fromEntries(
    [...definitions].flatMap((definition) => [
      [`${pascalCase(definition.type)}Invocation`, invocationOf(definition)],
      [pascalCase(definition.output.type), outputSchemaOf(definition)],
    ]),
  )
