import type { PictureDescription } from '#demo/describe-picture.ts'

const checkpointOf = (model: string) => `${model.replaceAll(/[^\w.]+/g, '_')}.safetensors`

const promptOf = (picture: PictureDescription) => {
  const [lora] = picture.loras
  const modelSource = lora === undefined ? ['4', 0] : ['10', 0]
  const clipSource = lora === undefined ? ['4', 1] : ['10', 1]
  return {
    '3': {
      inputs: {
        seed: picture.seed,
        steps: picture.steps,
        cfg: picture.cfgScale,
        sampler_name: picture.sampler,
        scheduler: picture.scheduler,
        denoise: 1,
        model: modelSource,
        positive: ['6', 0],
        negative: ['7', 0],
        latent_image: ['5', 0],
      },
      class_type: 'KSampler',
    },
    '4': {
      inputs: { ckpt_name: checkpointOf(picture.model) },
      class_type: 'CheckpointLoaderSimple',
    },
    '5': {
      inputs: { width: picture.widthPx, height: picture.heightPx, batch_size: 1 },
      class_type: 'EmptyLatentImage',
    },
    '6': { inputs: { text: picture.prompt, clip: clipSource }, class_type: 'CLIPTextEncode' },
    '7': {
      inputs: { text: picture.negativePrompt, clip: clipSource },
      class_type: 'CLIPTextEncode',
    },
    '8': { inputs: { samples: ['3', 0], vae: ['4', 2] }, class_type: 'VAEDecode' },
    '9': { inputs: { filename_prefix: 'ComfyUI', images: ['8', 0] }, class_type: 'SaveImage' },
    ...(lora && {
      '10': {
        inputs: {
          lora_name: `${lora.name}.safetensors`,
          strength_model: lora.weight,
          strength_clip: lora.weight,
          model: ['4', 0],
          clip: ['4', 1],
        },
        class_type: 'LoraLoader',
      },
    }),
  }
}

/** Returns ComfyUI's texts: the executed graph as `prompt` and the graph in the editor as `workflow`. */
export const comfyuiTexts = (picture: PictureDescription): { prompt: string; workflow: string } => {
  const prompt = promptOf(picture)
  const nodes = Object.entries(prompt).map(([id, node], order) => ({
    id: Number(id),
    type: node.class_type,
    order,
    pos: [order * 240, 100],
  }))
  return {
    prompt: JSON.stringify(prompt),
    workflow: JSON.stringify({ last_node_id: 10, nodes, links: [], version: 0.4 }),
  }
}
