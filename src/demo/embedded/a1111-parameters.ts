import type { PictureDescription } from '#demo/describe-picture.ts'

/** Returns the `parameters` text of A1111 and its forks: prompt, negative prompt, and a line of settings. */
export const a1111Parameters = (picture: PictureDescription): string => {
  const loras = picture.loras.map(({ name, weight }) => ` <lora:${name}:${weight}>`).join('')
  const settings = [
    `Steps: ${picture.steps}`,
    `Sampler: ${picture.sampler}`,
    `Schedule type: ${picture.scheduler}`,
    `CFG scale: ${picture.cfgScale}`,
    `Seed: ${picture.seed}`,
    `Size: ${picture.widthPx}x${picture.heightPx}`,
    `Model hash: ${picture.seed.toString(16).padStart(10, '0')}`,
    `Model: ${picture.model}`,
    'Version: v1.10.1',
  ]
  return [
    `${picture.prompt}${loras}`,
    ...(picture.negativePrompt === '' ? [] : [`Negative prompt: ${picture.negativePrompt}`]),
    settings.join(', '),
  ].join('\n')
}
