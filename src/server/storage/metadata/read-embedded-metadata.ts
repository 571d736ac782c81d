import type { NormalMetadata } from '#contract/metadata.ts'
import type { EmbeddedMetadata } from '#server/core/images/image-ports.ts'
import type { Marks } from '#server/core/images/picture-ports.ts'
import {
  type EmbeddedSource,
  type FoundMetadata,
  openFoundMetadata,
  type Sidecars,
} from './found-metadata.ts'
import { generatorReaders, readerOrder } from './generators.ts'
import { fillIn, type NormalFields } from './normal-fields.ts'
import { parseEmbeddedJson } from './parse-embedded-json.ts'
import { readMarks } from './read-marks.ts'
import { readAnyBlock } from './readers/json-fields.ts'
import { readA1111 } from './readers/read-a1111.ts'
import { claimedFields } from './readers/read-claims.ts'
import { sourceOfSidecars } from './sidecars.ts'

const emptyFields: Omit<NormalMetadata, 'raw' | 'generator' | 'is_unread'> = {
  prompt: null,
  negative_prompt: null,
  model: null,
  seed: null,
  steps: null,
  cfg_scale: null,
  sampler: null,
  scheduler: null,
  loras: [],
  width: null,
  height: null,
  camera: null,
  lens: null,
  exposure: null,
}

/** The metadata of a file that could not be read in time. */
export const unreadMetadata: EmbeddedMetadata = {
  invokeai: null,
  normal: { ...emptyFields, generator: null, raw: {}, is_unread: true },
  workflow: null,
  graph: null,
}

interface Generated {
  generator: NormalMetadata['generator']
  fields: NormalFields
}

/** Reads the fields of the first generator in the table that recognises the file. */
const generatedFields = (found: FoundMetadata): Generated => {
  for (const generator of readerOrder) {
    const { recognises, read } = generatorReaders[generator]
    const fields = recognises(found) ? read(found) : null
    if (fields !== null) return { generator, fields }
  }
  const fields = readAnyBlock(found)
  if (fields !== null) return { generator: null, fields }
  const parameters = found.texts.get('parameters')
  // Other programs write only a prompt under this name.
  const isBarePrompt = parameters !== undefined && !parameters.trimStart().startsWith('{')
  return { generator: null, fields: isBarePrompt ? readA1111(parameters) : {} }
}

/** Limit of characters of an XMP packet's properties that are stored. */
const MAX_XMP_CHARACTERS = 1024 * 1024

const shortXmp = (xmp: ReadonlyMap<string, string>): Record<string, string> => {
  let left = MAX_XMP_CHARACTERS
  return Object.fromEntries(
    [...xmp].filter(([name, text]) => {
      // ComfyUI's texts are stored under their own names.
      if (name.startsWith('comfy:') || text.length > left) return false
      left -= text.length
      return true
    }),
  )
}

/** Values of the file win over those of its sidecars. */
const withSidecars = (ofFile: Generated, beside: Generated): Generated => ({
  generator: beside.generator ?? ofFile.generator,
  fields: fillIn(ofFile.fields, beside.fields),
})

/** Sidecars come before the packet in the file, because most programs write later changes only to a sidecar. */
const xmpSidecars = (sidecars: Sidecars): Buffer[] =>
  Object.entries(sidecars).flatMap(([name, text]) =>
    name.toLowerCase().endsWith('.xmp') ? [Buffer.from(text)] : [],
  )

/** Converts metadata into one form. Leaves out broken or hostile parts: they never make an upload fail. */
export const readEmbeddedMetadata = (
  source: EmbeddedSource,
): { metadata: EmbeddedMetadata; takenAt: number | null; marks: Marks } => {
  const embedded = openFoundMetadata(source)
  const { exif } = embedded
  const ofFile = generatedFields(embedded)
  const { sidecars = {} } = source
  const isNamed = ofFile.generator !== null && ofFile.generator !== 'camera'
  const readsSidecars = !isNamed && Object.keys(sidecars).length > 0
  const found = readsSidecars ? openFoundMetadata(sourceOfSidecars(sidecars)) : embedded
  const { generator, fields } = readsSidecars
    ? withSidecars(ofFile, generatedFields(found))
    : ofFile
  const { texts } = found
  const raw: Record<string, unknown> = Object.fromEntries(embedded.texts)
  if (exif !== null && Object.keys(exif.readable).length > 0) raw.exif = exif.readable
  if (embedded.xmp.size > 0) raw.xmp = shortXmp(embedded.xmp)
  if (embedded.claims !== null) raw.c2pa = embedded.claims
  if (embedded.given !== null) raw.metadata = source.given
  if (Object.keys(sidecars).length > 0) raw.sidecars = sidecars
  const isComfyui = generator === 'comfyui'
  const jsonText = (name: string): string | null => {
    const text = texts.get(name)
    return text === undefined || parseEmbeddedJson(text) === null ? null : text
  }
  const claimed = claimedFields(embedded)
  const parameters = { ...claimed.parameters, ...fields.parameters }
  const known = fillIn({ ...fields, parameters }, fillIn(claimed, exif?.fields ?? {}))
  const normal = { ...emptyFields, ...known, generator, raw }
  return {
    takenAt: exif?.takenAt ?? null,
    marks: readMarks([...xmpSidecars(sidecars), source.xmp]),
    metadata: {
      invokeai: found.invokeai?.text ?? null,
      normal: Object.keys(raw).length === 0 ? null : normal,
      workflow: jsonText('invokeai_workflow') ?? (isComfyui ? jsonText('workflow') : null),
      graph: jsonText('invokeai_graph') ?? (isComfyui ? jsonText('prompt') : null),
    },
  }
}
