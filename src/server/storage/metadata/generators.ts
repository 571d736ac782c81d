import type { ImageGenerator } from '#contract/generators.ts'
import type { FoundMetadata } from './found-metadata.ts'
import { fillIn, type NormalFields } from './normal-fields.ts'
import { findComfyuiGraph } from './readers/find-comfyui-graph.ts'
import { readAnyBlock } from './readers/json-fields.ts'
import { type A1111Program, a1111Fields, programOf } from './readers/read-a1111.ts'
import { isCivitai, readCivitai } from './readers/read-civitai.ts'
import { type ClaimedService, claimedService, readClaims } from './readers/read-claims.ts'
import { readComfyui, readComfyuiWorkflow } from './readers/read-comfyui.ts'
import { isDrawThings, readDrawThings } from './readers/read-drawthings.ts'
import { easyDiffusionValues, readEasyDiffusion } from './readers/read-easydiffusion.ts'
import {
  isFooocusFile,
  isRuinedFile,
  readFooocus,
  readRuinedFooocus,
} from './readers/read-fooocus.ts'
import { readInvokeai } from './readers/read-invokeai.ts'
import { isInvokeai2, readInvokeai2 } from './readers/read-invokeai-2.ts'
import { midjourneyProgram, readMidjourney } from './readers/read-midjourney.ts'
import { isNovelai, readNovelai } from './readers/read-novelai.ts'
import { readSwarmui, swarmuiParameters } from './readers/read-swarmui.ts'
import { readTensorArt } from './readers/read-tensorart.ts'

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

const midjourneyReader = (program: 'midjourney' | 'niji'): GeneratorReader => ({
  recognises: (found) => midjourneyProgram(found) === program,
  read: readMidjourney,
})

/** A service that says in signed claims or XMP that it made the image, but not how. */
const claimsReader = (service: ClaimedService): GeneratorReader => ({
  recognises: (found) => claimedService(found) === service,
  read: readClaims,
})

/** The readers by generator. If several recognise a file, the first one reads it. */
export const generatorReaders: Record<ImageGenerator, GeneratorReader> = {
  invokeai: {
    recognises: (found) => found.invokeai !== null || isInvokeai2(found),
    read: (found) => (found.invokeai ? readInvokeai(found.invokeai.value) : readInvokeai2(found)),
  },
  novelai: { recognises: isNovelai, read: readNovelai },
  swarmui: {
    recognises: (found) => swarmuiParameters(found) !== null,
    read: (found) => readSwarmui(swarmuiParameters(found) ?? {}),
  },
  ruinedfooocus: { recognises: isRuinedFile, read: readRuinedFooocus },
  fooocus: { recognises: isFooocusFile, read: readFooocus },
  tensorart: {
    recognises: ({ texts, json }) => json(texts.get('generation_data')) !== null,
    read: (found) =>
      fillIn(
        readTensorArt(found.json(found.texts.get('generation_data')) ?? {}),
        readComfyui(findComfyuiGraph(found) ?? {}) ?? {},
      ),
  },
  civitai: { recognises: isCivitai, read: (found) => readCivitai(found, readComfyui) },
  easydiffusion: {
    recognises: (found) => easyDiffusionValues(found) !== null,
    read: (found) => readEasyDiffusion(easyDiffusionValues(found) ?? {}),
  },
  drawthings: { recognises: isDrawThings, read: readDrawThings },
  diffusionbee: {
    recognises: (found) => found.software.includes('DiffusionBee'),
    read: readAnyBlock,
  },
  sdnext: a1111Reader('sdnext'),
  reforge: a1111Reader('reforge'),
  forge: a1111Reader('forge'),
  kritaai: a1111Reader('kritaai'),
  comfyui: {
    recognises: (found) =>
      found.texts.has('workflow') ||
      findComfyuiGraph(found) !== null ||
      (found.a1111 !== null && programOf(found.a1111) === 'comfyui'),
    read: (found) => {
      const { a1111 } = found
      const graph =
        readComfyui(findComfyuiGraph(found) ?? {}) ??
        readComfyuiWorkflow(found.json(found.texts.get('workflow')) ?? {})
      if (a1111 === null) return graph
      if (graph === null && programOf(a1111) !== 'comfyui') return null
      // Nodes that save images may write the values of the run as A1111's text too.
      return fillIn(a1111Fields(a1111), graph ?? {})
    },
  },
  a1111: a1111Reader('a1111'),
  niji: midjourneyReader('niji'),
  midjourney: midjourneyReader('midjourney'),
  firefly: claimsReader('firefly'),
  dalle: claimsReader('dalle'),
  gemini: claimsReader('gemini'),
  dreamstudio: claimsReader('dreamstudio'),
  camera: {
    recognises: ({ exif }) => (exif?.fields.camera ?? null) !== null,
    read: () => ({}),
  },
}

export const readerOrder = Object.keys(generatorReaders) as ImageGenerator[]
