/** A graph of ComfyUI in the form of `prompt`, and the fields that a reader must find. */
export interface ComfyuiExample {
  title: string
  graph: Record<string, unknown>
  fields: Record<string, unknown>
}

/** Returns a node as `prompt` has it. */
export const node = (type: string, inputs: Record<string, unknown>) => ({
  class_type: type,
  inputs,
})

/** Returns a node that encodes a text. */
export const text = (words: unknown) => node('CLIPTextEncode', { text: words, clip: ['1', 1] })

/** A text-to-image graph with nodes 1 to 9. `changes` replaces and adds nodes, and inputs of the sampler (`sampler`). */
export const graphOf = ({ sampler = {}, ...changes }: Record<string, unknown> = {}) => ({
  1: node('CheckpointLoaderSimple', { ckpt_name: 'meadow/meadowXL.safetensors' }),
  2: text('POS tall grass'),
  3: text('NEG noise'),
  4: node('EmptyLatentImage', { width: 1024, height: 768, batch_size: 1 }),
  5: node('KSampler', {
    seed: 321,
    steps: 20,
    cfg: 5.5,
    sampler_name: 'euler',
    scheduler: 'normal',
    denoise: 1,
    model: ['1', 0],
    positive: ['2', 0],
    negative: ['3', 0],
    latent_image: ['4', 0],
    ...Object(sampler),
  }),
  8: node('VAEDecode', { samples: ['5', 0], vae: ['1', 2] }),
  9: node('SaveImage', { filename_prefix: 'x', images: ['8', 0] }),
  ...changes,
})

/** The fields of `graphOf()`. */
export const usual = {
  prompt: 'POS tall grass',
  negative_prompt: 'NEG noise',
  model: 'meadowXL',
  seed: 321,
  steps: 20,
}

/** Returns a graph with changes, and the usual fields with changes. */
export const example = (
  title: string,
  changes: Record<string, unknown>,
  fields: Record<string, unknown> = {},
): ComfyuiExample => ({ title, graph: graphOf(changes), fields: { ...usual, ...fields } })
