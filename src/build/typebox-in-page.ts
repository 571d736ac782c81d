/**
 * Replaces TypeBox in the built page. Operations carry schemas for validation by the server. The page does
 * not validate and reads only the choices of enumerations from a schema. TypeBox would add 70 KB.
 */
const Type = new Proxy(
  {},
  { get: (_, kind) => (kind === 'Enum' ? (choices: unknown) => ({ enum: choices }) : () => ({})) },
)

export default Type
