import { plainModelName } from '#contract/search/names.ts'
import { commonSampling } from '#contract/search/samplers.ts'
import type { EmbeddedMetadata } from '#server/core/images/image-ports.ts'
import type { NormalFields } from '#server/storage/metadata/normal-fields.ts'
import { readInvokeai } from '#server/storage/metadata/readers/read-invokeai.ts'

/** Properties whose values are names. Stored as index: append only. */
export const namedProperties = ['model', 'lora', 'sampler', 'scheduler', 'camera', 'lens'] as const
export type NamedProperty = (typeof namedProperties)[number]

/** The values in the metadata of an image that searches compare. null: the metadata has none. */
export interface ImageProperties extends Record<Exclude<NamedProperty, 'lora'>, string | null> {
  loras: readonly string[]
  steps: number | null
  /** In thousandths. */
  cfg: number | null
  /** Decimal digits. */
  seed: string | null
}

const MAX_LORAS = 100
const MAX_STEPS = 1_000_000
const MAX_CFG = 1_000_000

/** Returns the properties in their common spelling. null: the metadata has none. */
export const propertiesOf = ({
  normal,
  invokeai,
}: Pick<EmbeddedMetadata, 'normal' | 'invokeai'>): ImageProperties | null => {
  const fields: NormalFields | null =
    normal ?? (invokeai === null ? null : readInvokeai(objectIn(invokeai)))
  if (fields === null) return null
  const { model = null, sampler = null, scheduler = null, loras = [] } = fields
  const names = new Set(loras.map(({ name }) => plainModelName(name)).filter(Boolean))
  const properties: ImageProperties = {
    model: model === null ? null : plainModelName(model) || null,
    ...commonSampling({ sampler, scheduler }),
    camera: fields.camera ?? null,
    lens: fields.lens ?? null,
    loras: [...names].slice(0, MAX_LORAS),
    steps: within(fields.steps, MAX_STEPS),
    cfg: within(fields.cfg_scale, MAX_CFG / 1000, 1000),
    seed: seedOf(fields.seed),
  }
  const { loras: found, ...others } = properties
  return found.length > 0 || Object.values(others).some((value) => value !== null)
    ? properties
    : null
}

const objectIn = (json: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(json)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const within = (value: number | null | undefined, max: number, factor = 1): number | null =>
  typeof value === 'number' && value >= 0 && value <= max ? Math.round(value * factor) : null

/** A negative seed asks for a random one. */
const seedOf = (seed: number | string | null | undefined): string | null => {
  const digits = String(seed ?? '')
  return /^\d{1,20}$/.test(digits) ? BigInt(digits).toString() : null
}
