import { type FoundMetadata, firstOf } from '#server/storage/metadata/found-metadata.ts'
import {
  type NormalFields,
  nameOf,
  seedOf,
  textOf,
} from '#server/storage/metadata/normal-fields.ts'

const MAX_LENGTH = 20_000
const MAX_PARAMETERS = 40
const JOB = /\bJob ID:\s*([0-9a-f]{8}-[0-9a-f-]{27})/i
const PARAMETER = /^--?[a-z]+$/i

const labels: Record<string, string> = {
  ar: 'Aspect ratio',
  aspect: 'Aspect ratio',
  v: 'Version',
  version: 'Version',
  niji: 'Niji version',
  s: 'Stylize',
  stylize: 'Stylize',
  c: 'Chaos',
  chaos: 'Chaos',
  w: 'Weird',
  weird: 'Weird',
  q: 'Quality',
  quality: 'Quality',
  iw: 'Image weight',
  sref: 'Style reference',
  sw: 'Style weight',
  cref: 'Character reference',
  cw: 'Character weight',
  oref: 'Omni reference',
  ow: 'Omni weight',
  p: 'Personalization',
  profile: 'Personalization',
  tile: 'Tile',
  style: 'Style',
  stop: 'Stop',
  exp: 'Experimental',
  raw: 'Raw',
  draft: 'Draft',
}

interface Description {
  prompt: string
  jobId: string | null
  parameters: Map<string, string>
}

/** Splits `a cat --ar 16:9 --no dogs Job ID: ...`. A parameter extends to the next one. */
const parseDescription = (text: string): Description | null => {
  const job = JOB.exec(text.slice(0, MAX_LENGTH))
  const written = text.slice(0, job?.index ?? MAX_LENGTH)
  const words = written.split(/\s+/)
  const start = words.findIndex((word) => word.startsWith('--') && PARAMETER.test(word))
  const parameters = new Map<string, string>()
  let name = ''
  for (const word of start < 0 ? [] : words.slice(start)) {
    if (word.startsWith('--') && PARAMETER.test(word)) {
      name = word.slice(2).toLowerCase()
      if (parameters.size < MAX_PARAMETERS) parameters.set(name, parameters.get(name) ?? '')
    } else if (parameters.has(name)) {
      parameters.set(name, `${parameters.get(name)} ${word}`.trim())
    }
  }
  const isMidjourney = job !== null || ['v', 'version', 'niji'].some((key) => parameters.has(key))
  if (!isMidjourney) return null
  const prompt = start < 0 ? written : written.slice(0, written.indexOf(words[start] ?? ''))
  return { prompt, jobId: job?.[1] ?? null, parameters }
}

const descriptionOf = ({ texts, blocks, exif, xmp }: FoundMetadata): Description | null =>
  firstOf(
    [
      texts.get('Description') ?? '',
      xmp.get('dc:description') ?? '',
      exif?.texts.ImageDescription ?? '',
      ...blocks,
    ],
    // A JSON object or the settings of another generator may contain `--v`, too.
    (text) => (text.startsWith('{') || /^Steps: /m.test(text) ? null : parseDescription(text)),
  )

/** Returns the program that wrote a description with parameters. null: none is there. */
export const midjourneyProgram = (found: FoundMetadata): 'midjourney' | 'niji' | null => {
  const description = descriptionOf(found)
  if (description === null) return null
  return description.parameters.has('niji') ? 'niji' : 'midjourney'
}

/** Reads the description that Midjourney and Niji write, with parameters as fields. */
export const readMidjourney = (found: FoundMetadata): NormalFields | null => {
  const description = descriptionOf(found)
  if (description === null) return null
  const { parameters, jobId, prompt } = description
  const version = parameters.get('niji') ?? parameters.get('v') ?? parameters.get('version')
  const author = nameOf(found.texts.get('Author')) ?? nameOf(found.xmp.get('dc:creator'))
  const fields = [...parameters].flatMap(([name, value]): [string, string][] =>
    name === 'no' || name === 'seed'
      ? []
      : [[labels[name] ?? name, value === '' ? 'on' : value.slice(0, 200)]],
  )
  const program = parameters.has('niji') ? 'Niji' : 'Midjourney'
  return {
    prompt: textOf(prompt),
    negative_prompt: textOf(parameters.get('no')),
    model: version === undefined || version === '' ? program : `${program} ${version}`,
    generator_version: nameOf(version),
    seed: seedOf(parameters.get('seed')),
    parameters: {
      ...Object.fromEntries(fields),
      ...(jobId !== null && { 'Job ID': jobId }),
      ...(author !== null && { Author: author }),
    },
  }
}
