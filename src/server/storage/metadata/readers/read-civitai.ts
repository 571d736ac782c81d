import type { FoundMetadata } from '#server/storage/metadata/found-metadata.ts'
import { memberOf, type NormalFields } from '#server/storage/metadata/normal-fields.ts'
import {
  isObject,
  parseEmbeddedJson,
  plainText,
} from '#server/storage/metadata/parse-embedded-json.ts'
import { airOf, resourceFields, resourceOf } from './civitai-resources.ts'
import { fieldsOf, MAX_LORAS } from './json-fields.ts'
import type { A1111Text } from './parse-a1111.ts'
import { a1111Fields } from './read-a1111.ts'

/** Returns the graph that Civitai embeds, with the settings of the person in `extraMetadata`. */
const graphOf = ({ blocks, texts, json }: FoundMetadata): Record<string, unknown> | null => {
  for (const block of [...blocks, texts.get('prompt') ?? '']) {
    if (!block.includes('extraMetadata') && !block.includes('urn:air:')) continue
    const graph = json(block)
    if (graph !== null && ('extraMetadata' in graph || isObject(graph.extra))) return graph
  }
  return null
}

const isOnsite = ({ settings }: A1111Text): boolean =>
  settings.has('civitai metadata') ||
  (settings.has('civitai resources') && !settings.has('version'))

export const isCivitai = (found: FoundMetadata): boolean =>
  (found.a1111 !== null && isOnsite(found.a1111)) || graphOf(found) !== null

/** Returns the types of the models by the number of their version. */
const typesByVersion = (graph: Record<string, unknown>): Map<string, string> => {
  const airs = memberOf(graph.extra, 'airs')
  const list: unknown[] = Array.isArray(airs) ? airs.slice(0, MAX_LORAS) : []
  return new Map(
    list.map((air) => {
      const { type, id } = airOf(air)
      return [id.split('@').at(-1) ?? '', type]
    }),
  )
}

const readGraph = (
  graph: Record<string, unknown>,
  readComfyui: (graph: Record<string, unknown>) => NormalFields | null,
): NormalFields => {
  const written = graph.extraMetadata
  const metadata =
    typeof written === 'string' ? parseEmbeddedJson(written, { keepsDigits: true }) : written
  const fromGraph = readComfyui(graph) ?? {}
  if (!isObject(metadata)) return fromGraph
  const types = typesByVersion(graph)
  const list: unknown[] = Array.isArray(metadata.resources) ? metadata.resources : []
  const resources = list.slice(0, MAX_LORAS).map((each) => {
    const resource = resourceOf(each)
    return {
      ...resource,
      type: resource.type || (types.get(plainText(memberOf(each, 'modelVersionId'))) ?? ''),
    }
  })
  const fields = fieldsOf(
    metadata,
    {
      prompt: ['prompt'],
      negative_prompt: ['negativePrompt'],
      seed: ['seed'],
      steps: ['steps'],
      cfg_scale: ['cfgScale'],
      sampler: ['sampler'],
      scheduler: ['scheduler'],
      width: ['width'],
      height: ['height'],
    },
    { unread: ['resources', 'workflowId'] },
  )
  const { model, loras = [] } = resourceFields(resources)
  const all = { ...fields, model: model ?? null, ...(loras.length > 0 && { loras }) }
  const known = Object.entries(all).filter(([, value]) => value !== null)
  return { ...fromGraph, ...Object.fromEntries(known) }
}

/** Reads an image of Civitai's own generator. @param readComfyui - Reads the graph, if the file has one. */
export const readCivitai = (
  found: FoundMetadata,
  readComfyui: (graph: Record<string, unknown>) => NormalFields | null,
): NormalFields | null => {
  const { a1111 } = found
  if (a1111 !== null && isOnsite(a1111)) return a1111Fields(a1111)
  const graph = graphOf(found)
  return graph && readGraph(graph, readComfyui)
}
