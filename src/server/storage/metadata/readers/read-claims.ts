import type { FoundMetadata } from '#server/storage/metadata/found-metadata.ts'
import { type NormalFields, nameOf, textOf } from '#server/storage/metadata/normal-fields.ts'

/** Services that sign their images or name themselves in XMP, by words of their claims. */
const services = {
  firefly: /adobe[ _]?firefly|\bfirefly\b/i,
  dalle: /dall.?e|openai|chatgpt|gpt-?4o|gpt-?image|\bsora\b/i,
  gemini: /google ai|gemini|\bimagen\b|google c2pa|nano banana/i,
  dreamstudio: /dream ?studio|stability ?ai/i,
}

export type ClaimedService = keyof typeof services
const serviceIds = Object.keys(services) as ClaimedService[]

const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((each) => nameOf(each) ?? []) : []

/** Returns the names of programs in claims, XMP and texts. */
const namesIn = ({ claims, xmp, software }: FoundMetadata): string[] => [
  ...list(claims?.agents),
  ...list(claims?.generators),
  ...['photoshop:Credit', 'dc:creator', 'Iptc4xmpExt:AISystemUsed'].flatMap(
    (name) => nameOf(xmp.get(name)) ?? [],
  ),
  ...(software === '' ? [] : [software]),
]

/** Returns the last part of `http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia`. */
const sourceTypeOf = ({ claims, xmp }: FoundMetadata): string | null => {
  const written = list(claims?.source_types)[0] ?? xmp.get('Iptc4xmpExt:DigitalSourceType')
  return nameOf((written ?? '').split('/').at(-1))
}

/** Returns IPTC's `Digital Image GUID`. Midjourney writes the ID of the job into it. */
const imageGuidOf = ({ xmp }: FoundMetadata): string | null =>
  nameOf(xmp.get('Iptc4xmpExt:DigImageGUID'))

/** Returns the IPTC source type, also for images of a program that is not in the table. */
export const claimedFields = (found: FoundMetadata): NormalFields => {
  const { claims } = found
  const agents = [...list(claims?.agents), ...list(claims?.generators)]
  const sourceType = sourceTypeOf(found)
  // Photo agencies number their photos with the same property.
  const jobId = sourceType === 'trainedAlgorithmicMedia' ? imageGuidOf(found) : null
  return {
    source_type: sourceType,
    parameters: {
      ...Object.fromEntries(
        agents
          .slice(0, 3)
          .map((agent, index) => [index === 0 ? 'Signed by' : `Signed by ${index + 1}`, agent]),
      ),
      ...(jobId !== null && { 'Job ID': jobId }),
    },
  }
}

/** Returns the service that made an image, according to unverified claims. */
export const claimedService = (found: FoundMetadata): ClaimedService | null => {
  const names = namesIn(found).join('\n')
  return serviceIds.find((service) => services[service].test(names)) ?? null
}

/** Reads an image of a service. Services keep the prompt to themselves, apart from a description. */
export const readClaims = (found: FoundMetadata): NormalFields => {
  const [agent] = [...list(found.claims?.agents), ...list(found.claims?.generators)]
  const version = /\b(\d+(?:\.\d+)+)/.exec(agent ?? '')?.[1]
  return {
    ...claimedFields(found),
    prompt: textOf(found.xmp.get('dc:description')) ?? textOf(found.texts.get('Description')),
    model: agent ?? null,
    generator_version: version ?? null,
  }
}
