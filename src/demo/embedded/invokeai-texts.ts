import type { PictureDescription } from '#demo/describe-picture.ts'

const keyOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const modelOf = (name: string, type: string) => ({
  key: keyOf(name),
  hash: `blake3:${keyOf(name)}`,
  name,
  base: 'sdxl',
  type,
})

/** Returns the metadata object of InvokeAI, which it also embeds as `invokeai_metadata`. */
export const invokeaiMetadata = (picture: PictureDescription): Record<string, unknown> => ({
  app_version: '6.14.0',
  generation_mode: 'sdxl_txt2img',
  positive_prompt: picture.prompt,
  negative_prompt: picture.negativePrompt,
  width: picture.widthPx,
  height: picture.heightPx,
  seed: picture.seed,
  rand_device: 'cpu',
  cfg_scale: picture.cfgScale,
  steps: picture.steps,
  scheduler: picture.sampler,
  model: modelOf(picture.model, 'main'),
  loras: picture.loras.map(({ name, weight }) => ({ model: modelOf(name, 'lora'), weight })),
})

const graphOf = (picture: PictureDescription) => ({
  id: `graph-${picture.pictureSeed}`,
  nodes: {
    prompt: { id: 'prompt', type: 'sdxl_compel_prompt', prompt: picture.prompt },
    noise: { id: 'noise', type: 'noise', seed: picture.seed, width: picture.widthPx },
    denoise: { id: 'denoise', type: 'denoise_latents', steps: picture.steps },
    image: { id: 'image', type: 'l2i' },
  },
  edges: [
    {
      source: { node_id: 'noise', field: 'noise' },
      destination: { node_id: 'denoise', field: 'noise' },
    },
  ],
})

const workflowOf = (picture: PictureDescription) => ({
  name: 'Text to image',
  author: '',
  description: '',
  version: '1.0.0',
  contact: '',
  tags: '',
  notes: '',
  exposedFields: [],
  meta: { category: 'default', version: '3.0.0' },
  nodes: Object.entries(graphOf(picture).nodes).map(([id, node]) => ({
    id,
    type: 'invocation',
    data: node,
  })),
  edges: [],
})

/** Returns the text chunks of an InvokeAI PNG. */
export const invokeaiTexts = (picture: PictureDescription): Record<string, string> => ({
  invokeai_metadata: JSON.stringify(invokeaiMetadata(picture)),
  invokeai_workflow: JSON.stringify(workflowOf(picture)),
  invokeai_graph: JSON.stringify(graphOf(picture)),
})
