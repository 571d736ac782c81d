import type { ImageGenerator } from '#contract/generators.ts'
import type { FoundMetadata } from './found-metadata.ts'
import type { NormalFields } from './normal-fields.ts'
import { type A1111Program, a1111Fields, programOf } from './readers/read-a1111.ts'
import { readComfyui, readComfyuiWorkflow } from './readers/read-comfyui.ts'
import { readInvokeai } from './readers/read-invokeai.ts'

interface GeneratorReader {
  /** Returns true if this generator wrote the metadata. */
  recognises(found: FoundMetadata): boolean
  /** Returns null if the values turn out to be those of another program. */
  read(found: FoundMetadata): NormalFields | null
}

/** A program that writes A1111's `parameters`, told from others by its settings. */
const a1111Reader = (program: A1111Program): GeneratorReader => ({
  recognises: ({ a1111 }) => a1111 !== null && programOf(a1111) === program,
  read: ({ a1111 }) => a1111 && a1111Fields(a1111),
})

/** The readers by generator. If several recognise a file, the first one reads it. */
export const generatorReaders: Record<ImageGenerator, GeneratorReader> = {
  invokeai: {
    recognises: ({ invokeai }) => invokeai !== null,
    read: ({ invokeai }) => invokeai && readInvokeai(invokeai.value),
  },
  sdnext: a1111Reader('sdnext'),
  reforge: a1111Reader('reforge'),
  forge: a1111Reader('forge'),
  a1111: a1111Reader('a1111'),
  comfyui: {
    recognises: ({ texts }) => texts.has('prompt') || texts.has('workflow'),
    read: ({ texts, json }) =>
      readComfyui(json(texts.get('prompt')) ?? {}) ??
      readComfyuiWorkflow(json(texts.get('workflow')) ?? {}),
  },
  camera: {
    recognises: ({ exif }) => (exif?.fields.camera ?? null) !== null,
    read: () => ({}),
  },
}

export const readerOrder = Object.keys(generatorReaders) as ImageGenerator[]
