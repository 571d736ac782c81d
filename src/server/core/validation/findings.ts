import type { ValidationFault } from '#contract/refusal-bodies.ts'

/** Path of a value in a request. Nested readers push a step and pop it again. */
export type Loc = ValidationFault['loc']

/** A validation error without its path. */
export type Finding = Pick<ValidationFault, 'type' | 'msg' | 'ctx'>

const invalid = (type: string, what: string) => ({ type, msg: `Input should be a valid ${what}` })

/** An error for a custom rule, in the form that pydantic gives to a `ValueError`. */
export const valueError = (message: string): Finding => ({
  type: 'value_error',
  msg: `Value error, ${message}`,
  ctx: { error: {} },
})

const quoted = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))

const listed = (values: readonly unknown[]): string => {
  const last = quoted(values.at(-1))
  return values.length > 1 ? `${values.slice(0, -1).map(quoted).join(', ')} or ${last}` : last
}

const choice = (type: string) => (values: readonly unknown[]) => ({
  type,
  msg: `Input should be ${listed(values)}`,
  ctx: { expected: listed(values) },
})

const bound = (type: string, words: string, key: string) => (limit: number) => ({
  type,
  msg: `Input should be ${words} ${limit}`,
  ctx: { [key]: limit },
})

/** Pydantic's messages for invalid values. Clients of InvokeAI see the same texts. */
export const findings = {
  missing: { type: 'missing', msg: 'Field required' },
  bool: invalid('bool_type', 'boolean'),
  boolText: invalid('bool_parsing', 'boolean, unable to interpret input'),
  int: invalid('int_type', 'integer'),
  intText: invalid('int_parsing', 'integer, unable to parse string as an integer'),
  intFraction: invalid('int_from_float', 'integer, got a number with a fractional part'),
  intSize: {
    type: 'int_parsing_size',
    msg: 'Unable to parse input string as an integer, exceeded maximum size',
  },
  float: invalid('float_type', 'number'),
  floatText: invalid('float_parsing', 'number, unable to parse string as a number'),
  finite: { type: 'finite_number', msg: 'Input should be a finite number' },
  string: invalid('string_type', 'string'),
  list: invalid('list_type', 'list'),
  object: invalid('model_type', 'dictionary or object to extract fields from'),
  attributes: invalid('model_attributes_type', 'dictionary or object to extract fields from'),
  extra: { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' },
  dict: invalid('dict_type', 'dictionary'),
  none: { type: 'none_required', msg: 'Input should be None' },
  tooDeep: valueError('the value is nested too deep'),
  json: (error: string) => ({ type: 'json_invalid', msg: 'JSON decode error', ctx: { error } }),
  oneOf: choice('literal_error'),
  member: choice('enum'),
  greaterThan: bound('greater_than', 'greater than', 'gt'),
  greaterThanEqual: bound('greater_than_equal', 'greater than or equal to', 'ge'),
  lessThan: bound('less_than', 'less than', 'lt'),
  lessThanEqual: bound('less_than_equal', 'less than or equal to', 'le'),
  multipleOf: bound('multiple_of', 'a multiple of', 'multiple_of'),
  tooLong: (max_length: number) => ({
    type: 'string_too_long',
    msg: `String should have at most ${max_length} characters`,
    ctx: { max_length },
  }),
  tooMany: (max_length: number, actual_length: number) => ({
    type: 'too_long',
    msg: `List should have at most ${max_length} items after validation, not ${actual_length}`,
    ctx: { field_type: 'List', max_length, actual_length },
  }),
} as const

const truths = new Map([
  ...['1', 'on', 't', 'true', 'y', 'yes'].map((word) => [word, true] as const),
  ...['0', 'off', 'f', 'false', 'n', 'no'].map((word) => [word, false] as const),
])

/** Parses a word or number as a boolean, like pydantic; undefined if it is neither true nor false. */
export const truthOf = (input: string | number): boolean | undefined =>
  truths.get(String(input).toLowerCase())
