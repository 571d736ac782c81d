import {
  memberOf,
  type NormalFields,
  nameOf,
  numberOf,
} from '#server/storage/metadata/normal-fields.ts'
import { parseEmbeddedJson, plainText } from '#server/storage/metadata/parse-embedded-json.ts'
import { type Loras, MAX_LORAS } from './json-fields.ts'
import type { A1111Text } from './parse-a1111.ts'

export interface Resource {
  /** `checkpoint`, `lora`, `embed` and others. */
  type: string
  name: string | null
  version: string | null
  weight: number | null
}

/** Returns the parts of `urn:air:sdxl:lora:civitai:328553@368189`. */
export const airOf = (air: unknown): { type: string; id: string } => {
  const parts = (nameOf(air) ?? '').split(':')
  return { type: parts[3] ?? '', id: parts.at(-1) ?? '' }
}

export const resourceOf = (resource: unknown): Resource => {
  const air = airOf(memberOf(resource, 'air'))
  const id = plainText(memberOf(resource, 'modelVersionId') ?? air.id)
  return {
    type: (nameOf(memberOf(resource, 'type')) ?? air.type).toLowerCase(),
    // Civitai writes only the number of some models.
    name: nameOf(memberOf(resource, 'modelName')) ?? (id ? `Civitai ${id.slice(0, 40)}` : null),
    version:
      nameOf(memberOf(resource, 'modelVersionName')) ?? nameOf(memberOf(resource, 'versionName')),
    weight: numberOf(memberOf(resource, 'weight') ?? memberOf(resource, 'strength')),
  }
}

const resourcesIn = (text: string | undefined): Resource[] => {
  // The parser takes objects only.
  const list: unknown = parseEmbeddedJson(`{"list":${text ?? '[]'}}`)?.list
  return Array.isArray(list) ? list.slice(0, MAX_LORAS).map(resourceOf) : []
}

const modelTypes = ['checkpoint', 'model', 'unet', 'diffusionmodel']
const loraTypes = ['lora', 'locon', 'lycoris', 'dora']

export const resourceFields = (
  resources: readonly Resource[],
): Pick<NormalFields, 'model' | 'loras'> => {
  const model = resources.find(({ type }) => modelTypes.includes(type))
  const loras: Loras = resources.flatMap(({ type, name, weight }) =>
    loraTypes.includes(type) && name !== null ? [{ name, weight }] : [],
  )
  return { model: model?.name ?? null, loras }
}

/** Adds models that only `Civitai resources` names. Programs besides Civitai write it too. */
export const withResources = (text: A1111Text, fields: NormalFields): NormalFields => {
  const written = text.settings.get('civitai resources')?.value
  if (written === undefined) return fields
  const resources = resourcesIn(written)
  const { model = null, loras = [] } = resourceFields(resources)
  const version = resources.find(({ type }) => modelTypes.includes(type))?.version ?? null
  return {
    ...fields,
    model: fields.model ?? model,
    loras: loras.length > 0 ? loras : (fields.loras ?? []),
    parameters: {
      ...fields.parameters,
      ...(version !== null && { 'Model version': version }),
    },
  }
}
