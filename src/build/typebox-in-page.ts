/**
 * What stands for TypeBox in the built page. Its operations carry schemas, which the server validates by;
 * the page validates nothing and asks of a schema only for the choices of an enumeration. TypeBox itself
 * would add 70 KB.
 */
const Type = new Proxy(
  {},
  { get: (_, kind) => (kind === 'Enum' ? (choices: unknown) => ({ enum: choices }) : () => ({})) },
)

export default Type
