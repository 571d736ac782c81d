import Type, { type Static } from 'typebox'

/** Body of a refusal by a handler. */
export const RefusalBody = Type.Object({ detail: Type.String() })
export type RefusalBody = Static<typeof RefusalBody>

/** One validation error. */
export const ValidationFault = Type.Object({
  type: Type.String({ examples: ['missing', 'bool_parsing', 'enum'] }),
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  input: Type.Optional(Type.Unknown()),
  ctx: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type ValidationFault = Static<typeof ValidationFault>

/** Body of a failed validation, with status 422. */
export const ValidationBody = Type.Object({ detail: Type.Array(ValidationFault) })
export type ValidationBody = Static<typeof ValidationBody>
