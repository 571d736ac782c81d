import { generators } from '#contract/generators.ts'
import type { NormalMetadata } from '#contract/metadata.ts'

/** Returns the name of the generator with its version; null for cameras and files of unknown programs. */
export const generatorText = ({ generator, generator_version }: NormalMetadata): string | null => {
  if (generator === null || generator === 'camera') return null
  const { name } = generators[generator]
  const version = generator_version ?? ''
  return version.includes(name) ? version : `${name} ${version}`.trim()
}
